"""Bots of the library's kind inside a process that holds the engine, without a wire."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Protocol, assert_never

import engine
from bots.factory import FACTORIES
from engine.cards import trump_code
from engine.events import KIND_NUMBER
from engine.plan import deal_plan, kind_of
from ohhell_bot import Bot, Lay, Match, Play, Rules, Scoring, View
from ohhell_bot.decision import Bid, ChooseTrump, ask, decision


class Setup(Protocol):
    """What a seat is told once: the part of a table's set-up that a bot may know."""

    @property
    def table(self) -> str: ...
    @property
    def rules(self) -> engine.Rules: ...
    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def first_dealer(self) -> int: ...
    @property
    def bot_seeds(self) -> tuple[bytes, ...]: ...


class LocalBot:
    """One seat: an engine's view in, an engine's command out."""

    def __init__(self, bot: Bot, match: Match) -> None:
        self._bot = bot
        self._match = match
        bot.match_start(match)

    def answer(self, view: engine.View) -> engine.Command:
        """BadAnswer where the bot's answer is of the wrong shape."""
        seen = View(view, self._match)
        answer = ask(self._bot, seen)
        if isinstance(answer, Awaitable):
            raise TypeError(f"{type(self._bot).__name__} is asynchronous: not here")
        decided = decision(seen, answer)
        match decided:
            case Bid(amount):
                return engine.PlaceBid(amount)
            case Play(card, call):
                return engine.PlayCard(card or None, engine.JokerCall(call))
            case ChooseTrump(suit):
                return engine.ChooseTrump(suit)
            case Lay(cards, claim):
                return engine.Lay(tuple(cards), engine.Claim(claim))
            case _:
                assert_never(decided)


LocalFactory = Callable[[Setup, int], LocalBot]
"""Makes the bot of one seat from the table's set-up and the seat."""


def local_factory(new_bot: Callable[[], Bot]) -> LocalFactory:
    def seated(setup: Setup, seat: int) -> LocalBot:
        players = len(setup.players)
        match = Match(
            seat=seat,
            rules=rules_for_bots(setup.rules, players),
            bot_seed=setup.bot_seeds[seat],
            table=setup.table,
            players=setup.players,
            first_dealer=setup.first_dealer,
        )
        return LocalBot(new_bot(), match)

    return seated


LOCAL_FACTORIES: Final[Mapping[str, LocalFactory]] = MappingProxyType(
    {name: local_factory(new_bot) for name, new_bot in FACTORIES.items()}
)
"""The house bots by name."""


@lru_cache(maxsize=256)
def rules_for_bots(rules: engine.Rules, players: int) -> Rules:
    """The same rules as a bot gets them over the wire, but without their preset."""
    plan = deal_plan(rules, players)
    coefficients = rules.coefficients
    deals = range(1, 1 + (1 if plan.length is None else plan.length))
    return Rules(
        preset="",
        players=players,
        pack=rules.pack_for(players).codes(),
        plan_sizes=tuple([plan.size(deal) for deal in deals]),
        plan_kinds=tuple([KIND_NUMBER[kind_of(rules, plan, deal)] for deal in deals]),
        plan_open_ended=plan.length is None,
        hash=rules.hash(players),
        parameters=rules.parameters(),
        scoring=None if coefficients is None else Scoring(*coefficients),
        bid_mode=str(rules.bid_mode),
        hook=rules.hook,
        hook_min_cards=rules.hook_min_cards,
        no_bid_at_score=rules.no_bid_at_score,
        forehead=str(rules.forehead),
        first_leader=str(rules.first_leader),
        must_trump=rules.must_trump,
        must_overtrump=rules.must_overtrump,
        must_head=rules.must_head,
        joker_mode=str(rules.joker_mode),
        joker_opposite_scope=str(rules.joker_opposite_scope),
        duplicate_winner=str(rules.duplicate_winner),
        trump_method=str(rules.trump_method),
        trump_sequence=tuple([trump_code(text) for text in rules.trump_sequence or ()]),
        end=str(rules.end),
        target_score=rules.target_score,
        overshoot=str(rules.overshoot),
        tie_policy=str(rules.tie_policy),
        max_deals=rules.max_deals,
    )
