"""Failures in words: the prompt, the answer, the rule."""

from __future__ import annotations

import ohhell_bot
from bots.local import rules_for_bots
from cli.bot.check.findings import Failure
from cli.bot.check.overheard import Exchange, Faulted
from cli.bot.check.rig import Heard
from engine import View
from engine.cards import card_text, is_card, trump_text
from engine.fallback import ChooseTrump, Command, Lay, PlaceBid, PlayCard
from server.decision import NO_ACTION
from server.guard import Fault

SAID_NOTHING = (
    "a library says so when a bot's method throws, a bridge of a line that is no"
    " answer; what it wrote tells"
)
_FAULTS = {
    Fault.DEADLINE: "no answer within limit and bank",
    Fault.HANG: "no answer at all: its stream was ended",
    Fault.PROTOCOL: "frames that are no good: its stream was ended",
    Fault.FLOOD: "a flood of frames that answer nothing: its stream was ended",
    Fault.DISCONNECT: "its stream was lost and did not come back",
    Fault.LEFT: "it gave up its seat",
    Fault.ILLEGAL: "an answer that is not legal",
}


def of_exchange(heard: Heard, exchange: Exchange, what: str = "") -> Failure:
    """An answer that was not right, or after which something went wrong."""
    reply = exchange.reply
    rule = f"{reply.reason}: {reply.message}" if reply.reason else ""
    if reply.reason == NO_ACTION.reason:
        rule += f"; {SAID_NOTHING}"
    if reply.duplicate:
        rule = "the same decision was answered before"
    return Failure(
        what or ("answered again" if reply.duplicate else "answered wrongly"),
        prompt=prompt_text(heard, exchange.prompt) if exchange.prompt else "",
        answer=_answer_text(exchange),
        rule=rule,
        preset=heard.plan.preset,
    )


def _answer_text(exchange: Exchange) -> str:
    attempt = f" attempt {exchange.attempt}" if exchange.attempt else ""
    return f"decision {exchange.seq}{attempt}: {command_text(exchange.command)}"


def of_fault(heard: Heard, fault: Faulted) -> Failure:
    return Failure(
        f"{fault.fault}: {_FAULTS[fault.fault]}",
        prompt=prompt_text(heard, fault.prompt),
        preset=heard.plan.preset,
    )


def prompt_text(heard: Heard, seen: View) -> str:
    """The position as the bot sees it, in one line."""
    setup = heard.plan.setup("")
    match = ohhell_bot.Match(
        seat=seen.seat or 0,
        rules=rules_for_bots(setup.rules, len(setup.players)),
        bot_seed=b"",
        table=setup.table,
        players=setup.players,
    )
    return str(ohhell_bot.View(seen, match))


def command_text(command: Command | None) -> str:
    match command:
        case None:
            return "neither bid nor card, trump or bid cards"
        case PlaceBid(bid):
            return f"bids {bid}"
        case PlayCard(card, call):
            called = f", called {call.name.lower()}" if call else ""
            return f"plays {_card(card)}{called}"
        case ChooseTrump(suit):
            return f"names {suit} ({trump_text(suit)})" if suit < 7 else f"names {suit}"
        case Lay(cards, claim):
            return f"lays {' '.join(map(_card, cards))}, claim {claim.name.lower()}"


def _card(code: int | None) -> str:
    if not code:
        return "a card without naming it"
    return card_text(code) if is_card(code) else f"a card with the code {code}"
