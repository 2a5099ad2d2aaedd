"""Matches in this process, with house bots in some or all of the seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from bots.local import LOCAL_FACTORIES, LocalBot
from cli.exits import fail
from engine import Cause, Match, Rules, view
from engine.fallback import act
from engine.shuffle import SeededDecks, bot_seed, first_dealer

SEED_LIMIT = 2**64


def house_bots(names: str) -> tuple[str, ...]:
    """Take apart a,b,c; or end the command with the names that there are."""
    wanted = tuple(name.strip() for name in names.split(","))
    for name in wanted:
        if name not in LOCAL_FACTORIES:
            near = get_close_matches(name, LOCAL_FACTORIES, n=1)
            hint = f"; did you mean {near[0]}?" if near else "."
            known = ", ".join(LOCAL_FACTORIES)
            fail(f"there is no house bot {name!r}{hint} There are: {known}")
    return wanted


@dataclass(frozen=True)
class Seating:
    """What the bots at a table are told before the first deal."""

    rules: Rules
    players: tuple[str, ...]
    first_dealer: int
    bot_seeds: tuple[bytes, ...]
    table: str


class HouseTable:
    """A match, and bots for some of its seats."""

    def __init__(
        self,
        rules: Rules,
        players: Sequence[str],
        bots: Mapping[int, str],
        *,
        seed: bytes,
        copy: int = 0,
    ) -> None:
        """`seed` is that of a block, and `copy` the number of the copy in it.

        `players` are names by seat, `bots` the house bots by the seats they have.
        """
        n = len(players)
        seat = rules.first_dealer_seat
        seating = Seating(
            rules=rules,
            players=tuple(players),
            first_dealer=first_dealer(seed, n) if seat is None else seat,
            bot_seeds=tuple(bot_seed(seed, copy, s) for s in range(n)),
            table=f"copy-{copy}",
        )
        self.match = Match(
            rules,
            n,
            first_dealer=seating.first_dealer,
            decks=SeededDecks(seed, rules, n, copy),
        )
        self._bots: dict[int, LocalBot] = {
            seat: LOCAL_FACTORIES[name](seating, seat) for seat, name in bots.items()
        }

    def advance(self) -> bool:
        """Let the bot act whose turn it is; false if it is nobody's or a person's.

        Of several seats that may act the lowest is first.
        """
        waiting = self.match.to_act()
        bot = self._bots.get(waiting[0]) if waiting else None
        if bot is None:
            return False
        command = bot.answer(view(self.match, waiting[0]))
        act(self.match, waiting[0], command, Cause.ANSWER)
        return True
