"""Whether answers are legal: whole matches of every preset, sorted by situation.

All cases of this family look at the same matches, which are played once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final

from cli.bot.check.cases import Case, Circumstances, Trial
from cli.bot.check.findings import Failure, Outcome
from cli.bot.check.matches import TIME, Plan
from cli.bot.check.overheard import Exchange
from cli.bot.check.rig import TOO_LONG, Heard
from cli.bot.check.telling import of_exchange, of_fault
from engine import Ask, Rules
from engine.errors import Code
from engine.fallback import PlaceBid
from engine.legality import CallRule
from engine.parameters import BidMode
from server.guard import Fault
from tournament.counted import counted

SHARE_OF_TIME: Final = 0.5
"""Of all the seconds there are."""
RARE: Final = (
    "wizard",
    "blackout_jokers",
    "ninety_nine",
    "devils_bridge",
    "simultaneous",
)
"""Presets with situations that others have not."""
_CALLS: Final = frozenset(
    {Code.CALL_REQUIRED, Code.BAD_CALL, Code.CALL_FIXED, Code.CALL_NOT_ALLOWED}
)
_UNASKED: Final = frozenset(
    {
        "STALE_DECISION",
        "UNKNOWN_DECISION",
        "DECISION_ALREADY_ANSWERED",
        "DECISION_DEFAULTED",
    }
)

Situation = Callable[[Exchange, Rules], bool]
"""Whether an answer with an open prompt was given in it."""


async def positions(circumstances: Circumstances) -> list[Heard]:
    """Matches of every preset, with the bot in all seats."""
    if circumstances.positions is None:
        # In whatever time there is, every situation is met.
        presets = sorted(circumstances.presets, key=lambda name: name not in RARE)
        plans = [Plan(preset=preset, seed=circumstances.seed) for preset in presets]
        # The dealer names a trump only where a wizard is turned up: one deal in 15.
        plans += [
            Plan(preset="wizard", seed=circumstances.seed, number=number)
            for number in range(1, 4)
            if "wizard" in presets
        ]
        circumstances.positions = await circumstances.rig.play(
            plans, seconds=circumstances.seconds * SHARE_OF_TIME
        )
    return circumstances.positions


def _bidding(exchange: Exchange) -> bool:
    return exchange.prompt is not None and exchange.prompt.ask == Ask.BID


def _is_hooked(exchange: Exchange, rules: Rules) -> bool:
    prompt = exchange.prompt
    if prompt is None or not _bidding(exchange):
        return False
    may_have_any = rules.bid_mode is BidMode.TURN and rules.hook
    return may_have_any and len(prompt.legal_bids) <= prompt.size


def _is_zero(exchange: Exchange, _rules: Rules) -> bool:
    """A bid of zero, or the lack of any where it could have been one."""
    prompt = exchange.prompt
    if prompt is None or not _bidding(exchange) or 0 not in prompt.legal_bids:
        return False
    return exchange.command in (None, PlaceBid(0))


def _is_secret(exchange: Exchange, rules: Rules) -> bool:
    return _bidding(exchange) and rules.bid_mode is not BidMode.TURN


def _playing(exchange: Exchange) -> bool:
    return exchange.prompt is not None and exchange.prompt.ask == Ask.PLAY


def _is_forced(exchange: Exchange, _rules: Rules) -> bool:
    prompt = exchange.prompt
    return (
        prompt is not None
        and _playing(exchange)
        and 0 < len(prompt.legal_cards) < len(prompt.hand)
    )


def _is_called(exchange: Exchange, _rules: Rules) -> bool:
    """A joker that needs a call could be played, or a call was what was wrong."""
    prompt = exchange.prompt
    return prompt is not None and (
        exchange.reply.reason in _CALLS
        or (_playing(exchange) and prompt.call == CallRule.REQUIRED)
    )


def _is_hidden(exchange: Exchange, _rules: Rules) -> bool:
    prompt = exchange.prompt
    return prompt is not None and _playing(exchange) and not prompt.legal_cards


def _is_trump(exchange: Exchange, _rules: Rules) -> bool:
    return exchange.prompt is not None and exchange.prompt.ask == Ask.TRUMP


def _is_laying(exchange: Exchange, _rules: Rules) -> bool:
    return exchange.prompt is not None and exchange.prompt.ask == Ask.BID_CARDS


# The first that an answer fits is the case it is counted for when it is not legal.
SITUATIONS: Final[dict[str, tuple[str, Situation]]] = {
    "zero-bids": ("a bid of 0 is a bid", _is_zero),
    "hooked-bids": ("bids where the last one may not even out", _is_hooked),
    "secret-bids": ("bids made at the same time as others'", _is_secret),
    "bids": ("bids that are not above the hand", lambda e, _: _bidding(e)),
    "trump-choice": ("the dealer names a trump suit", _is_trump),
    "bid-cards": ("three cards of the hand laid as a bid", _is_laying),
    "hidden-cards": ("a card that the seat may not see", _is_hidden),
    "joker-calls": ("jokers that are called high or low", _is_called),
    "forced-cards": ("following suit, and other duties", _is_forced),
    "cards": ("cards that are in the hand", lambda e, _: _playing(e)),
}


def _situation_of(exchange: Exchange, rules: Rules, *, lacks_zero: bool) -> str:
    """What an answer that is not legal is counted for."""
    for name, (_, fits) in SITUATIONS.items():
        if name == "zero-bids" and not lacks_zero:
            continue
        if fits(exchange, rules):
            return name
    raise AssertionError("a prompt asks for something")


def _legality(name: str, fits: Situation) -> Trial:
    async def trial(circumstances: Circumstances, outcome: Outcome) -> None:
        played = await positions(circumstances)
        bids = {
            exchange.command
            for heard in played
            for exchange in heard.answered
            if isinstance(exchange.command, PlaceBid)
        }
        # Whoever never says anything has other troubles than with zero.
        lacks_zero = bool(bids) and PlaceBid(0) not in bids
        met = 0
        presets = set()
        for heard in played:
            rules = heard.plan.rules
            for exchange in heard.answered:
                if not fits(exchange, rules):
                    continue
                met += 1
                presets.add(heard.plan.preset)
                if exchange.reply.accepted:
                    continue
                if _situation_of(exchange, rules, lacks_zero=lacks_zero) == name:
                    outcome.fail(of_exchange(heard, exchange))
        if met:
            of = counted(len(presets), "preset")
            outcome.detail = f"{counted(met, 'position')} of {of}"
        else:
            outcome.skip("not met")

    return trial


async def _one_answer(circumstances: Circumstances, outcome: Outcome) -> None:
    """Answers twice, to a decision that is over, or that was never put."""
    count = 0
    for heard in await positions(circumstances):
        count += len(heard.exchanges)
        for exchange in _unasked(heard.exchanges):
            outcome.fail(of_exchange(heard, exchange))
    floods = circumstances.rig.ear.lost.count(Fault.FLOOD)
    if floods:
        outcome.fail(
            Failure(f"its stream was ended {counted(floods, 'time')} as a flood")
        )
    outcome.detail = counted(count, "answer")


def _unasked(exchanges: Iterable[Exchange]) -> Iterable[Exchange]:
    for exchange in exchanges:
        if exchange.reply.duplicate or exchange.reply.reason in _UNASKED:
            yield exchange


async def _in_time(circumstances: Circumstances, outcome: Outcome) -> None:
    slowest = 0.0
    late = (Fault.DEADLINE, Fault.HANG)
    played = await positions(circumstances)
    for heard in played:
        slowest = max([slowest, *[e.seconds for e in heard.answered]])
        for fault in heard.faults:
            if fault.fault in late:
                outcome.fail(of_fault(heard, fault))
    outcome.detail = f"slowest answer {slowest * 1000:.0f} ms"
    awaited = _awaited(played)
    if awaited:
        outcome.skip(f"{outcome.detail}{awaited}")


def _awaited(played: Iterable[Heard]) -> str:
    """What an answer that was not there in the end means, if one was overdue."""
    seconds = max([heard.awaited for heard in played], default=0.0)
    if seconds * 1000 <= TIME.per_decision_ms + TIME.grace_ms:
        return ""
    return f"; one was awaited for {seconds:.1f} s when the time was up: try longer"


async def _to_the_end(circumstances: Circumstances, outcome: Outcome) -> None:
    played = await positions(circumstances)
    broken = [Fault.PROTOCOL, Fault.FLOOD, Fault.DISCONNECT, Fault.LEFT]
    for heard in played:
        if heard.stopped.startswith("its process"):
            last = heard.answered[-1:]
            failure = Failure(heard.stopped, preset=heard.plan.preset)
            outcome.fail(
                of_exchange(heard, last[0], heard.stopped) if last else failure
            )
        for fault in heard.faults:
            if fault.fault in broken:
                outcome.fail(of_fault(heard, fault))
    declined = [heard for heard in played if heard.declined]
    ended = [heard for heard in played if not heard.stopped and not heard.declined]
    presets = {heard.plan.preset for heard in ended}
    wanted = len(circumstances.presets)
    outcome.detail = (
        f"{len(ended)} {'match' if len(ended) == 1 else 'matches'} of"
        f" {len(presets)} of {counted(wanted, 'preset')}"
    )
    if declined:
        outcome.detail += f"; {len(declined)} declined"
    in_want_of_time = [heard for heard in played if heard.stopped == TOO_LONG]
    if in_want_of_time or (len(played) < wanted and not outcome.failures):
        outcome.detail += "; for the rest --seconds was too short"
    if not ended and not declined and not outcome.failures:
        outcome.skip(f"{outcome.detail}{_awaited(played)}")


CASES: Final = (
    Case("to-the-end", "matches of every preset, played to their end", _to_the_end),
    *(
        Case(name, about, _legality(name, fits))
        for name, (about, fits) in SITUATIONS.items()
    ),
    Case("one-answer", "one answer to each prompt, and to nothing else", _one_answer),
    Case("in-time", "answers within limit and bank", _in_time),
)

FAMILY: Final = frozenset(chain(case.name for case in CASES))
