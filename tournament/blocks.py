"""A block as the matches it consists of: one table in every rotation of its seats.

All of them have the same deals, unless the copies have deals of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.rules import Rules
from engine.shuffle import SeededDecks, bot_seed, copy_seed, first_dealer
from tournament.schedule import Block


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One copy of a block, as data: with the rules it says all there is about a match.

    `seats` are bot indices by seat; `seed` is the block's; the fallback player keeps
    the seats of `suspended` bots. With `duplicate` the deals are those of all copies,
    and lane `copy` of every bot plays it, so that no process meets them twice.
    """

    block: int
    attempt: int
    copy: int
    seats: tuple[int, ...]
    seed: bytes
    duplicate: bool
    suspended: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        """Its name for people, as in `ohhell replay RUN:3.1`; never told to bots."""
        return f"{self.block}.{self.copy}"

    def first_dealer(self, rules: Rules) -> int:
        """Give the seat that deals first, the same in all copies."""
        named = rules.first_dealer_seat
        return first_dealer(self.seed, len(self.seats)) if named is None else named

    def decks(self, rules: Rules) -> SeededDecks:
        """Give the packs of its deals, in the order in which they are dealt."""
        players = len(self.seats)
        if self.duplicate:
            return SeededDecks(self.seed, rules, players, self.copy)
        return SeededDecks(copy_seed(self.seed, self.copy), rules, players)

    @property
    def bot_seeds(self) -> tuple[bytes, ...]:
        """By seat; unrelated between copies."""
        return tuple(
            bot_seed(self.seed, self.copy, seat) for seat in range(len(self.seats))
        )


def plan_block(
    block: Block,
    attempt: int,
    *,
    seed: bytes,
    duplicate: bool,
    suspended: frozenset[int] = frozenset(),
) -> tuple[MatchPlan, ...]:
    """Give the copies of a block: in copy c, seat s is held by place s + c.

    `seed` is that of the attempt.
    """
    seating = block.seating
    return tuple(
        MatchPlan(
            block.index,
            attempt,
            copy,
            (*seating[copy:], *seating[:copy]),
            seed,
            duplicate,
            suspended & frozenset(seating),
        )
        for copy in range(len(seating))
    )
