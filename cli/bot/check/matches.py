"""Which matches are played, from what seed, and who sits where."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine import Rules
from engine.shuffle import (
    SeededDecks,
    block_seed,
    bot_seed,
    first_dealer,
    published_seed,
)
from server.clock import TimeControl
from server.setup import TableSetup

TIME = TimeControl(per_decision_ms=1_000, bank_ms=10_000, grace_ms=50)
"""What bots get in a tournament."""
SHORT: dict[str, object] = {"deal_shape": "up", "deal_low": 1, "deal_high": 3}
HOUSE = "random"
"""Who sits in the other seats."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A match before it is played; the same plan has the same cards.

    The bot has `own` seats, all of them where that is None.
    """

    preset: str
    seed: int
    number: int = 0
    overrides: dict[str, object] = field(default_factory=dict)
    players: int = 0
    """0: as few as the preset allows."""
    own: tuple[int, ...] | None = None
    time: TimeControl = TIME
    name: str = ""

    @property
    def table(self) -> str:
        return self.name or f"{self.preset}-{self.number}"

    @property
    def rules(self) -> Rules:
        return Rules.of(self.preset, self.overrides)

    def seats(self) -> int:
        return self.players or min(self.rules.players)

    def is_own(self, seat: int) -> bool:
        return self.own is None or seat in self.own

    def setup(self, bot: str) -> TableSetup:
        """The table of this match, with the bot under this name."""
        rules, seats = self.rules, self.seats()
        secret = block_seed(published_seed(self.seed), self.number, 0)
        fixed = rules.first_dealer_seat
        return TableSetup(
            table=self.table,
            rules=rules,
            players=tuple([bot if self.is_own(s) else HOUSE for s in range(seats)]),
            first_dealer=first_dealer(secret, seats) if fixed is None else fixed,
            decks=SeededDecks(secret, rules, seats),
            bot_seeds=tuple([bot_seed(secret, 0, seat) for seat in range(seats)]),
            preset=self.preset,
            rules_hash=rules.hash(seats),
            clock=self.time,
        )
