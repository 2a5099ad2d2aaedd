"""Whole matches between house bots on the bare engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import engine
from bots.local import LOCAL_FACTORIES, LocalBot, LocalFactory
from engine.fallback import act
from engine.shuffle import SeededDecks, block_seed, bot_seed, first_dealer

Watcher = Callable[[engine.Match, int, engine.View], None]
"""Called with the match, the seat on turn and its prompt, before every answer."""


@dataclass(frozen=True)
class Setup:
    rules: engine.Rules
    players: tuple[str, ...]
    first_dealer: int
    bot_seeds: tuple[bytes, ...]
    table: str = "t"


def setup(rules: engine.Rules, names: Sequence[str], seed: bytes) -> Setup:
    seats = len(names)
    return Setup(
        rules=rules,
        players=tuple(names),
        first_dealer=first_dealer(seed, seats),
        bot_seeds=tuple([bot_seed(seed, 0, seat) for seat in range(seats)]),
    )


def played(
    rules: engine.Rules,
    names: Sequence[str],
    block: int = 0,
    *,
    watch: Watcher | None = None,
    others: Mapping[int, LocalFactory] | None = None,
) -> engine.Match:
    """Names of house bots by seat; raises whatever an illegal answer raises.

    `others` play instead of house bots, by their seats.
    """
    seed = block_seed(bytes(32), block, 0)
    prepared = setup(rules, names, seed)
    factories = dict(enumerate(LOCAL_FACTORIES[name] for name in names))
    factories |= others or {}
    bots: list[LocalBot] = [
        factories[seat](prepared, seat) for seat in range(len(names))
    ]
    match = engine.Match(
        rules,
        len(names),
        first_dealer=prepared.first_dealer,
        decks=SeededDecks(seed, rules, len(names)),
    )
    match.start()
    while waiting := match.to_act():
        seat = waiting[0]
        prompt = engine.view(match, seat)
        if watch is not None:
            watch(match, seat, prompt)
        act(match, seat, bots[seat].answer(prompt), engine.Cause.ANSWER)
    return match
