"""Playing the matches of a simulation, and what came out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cli.seating import HouseTable
from cli.simulate.blocks import planned
from cli.simulate.estimates import Estimate, Line, Sums
from engine.rules import Rules
from tournament.tallying import copy_result


@dataclass
class Simulation:
    """House bots at one table after the other; `matches` and `seconds` are so far."""

    preset: str
    rules: Rules
    players: int
    bots: Sequence[str]
    seed: int
    matches: int = 0
    deals: int = 0
    seconds: float = 0.0
    _sums: dict[str, Sums] = field(default_factory=dict)

    def play(self, matches: int) -> Iterator[int]:
        """Play so many matches; give their number after each."""
        self._sums = {bot: Sums() for bot in self.bots}
        began = time.perf_counter()
        no_faults: Sequence[Mapping[str, int]] = [{}] * self.players
        # A bot may have several seats, so seats are summed up each by itself.
        by_seat = tuple(range(self.players))
        plan = planned(len(self.bots), self.players, seed=self.seed, matches=matches)
        for one in plan:
            names = [self.bots[bot] for bot in one.seats]
            table = HouseTable(
                self.rules,
                names,
                dict(enumerate(names)),
                seed=one.seed,
                copy=one.copy,
            )
            table.match.start()
            while table.advance():
                pass
            result = copy_result(table.match.entries(), seats=by_seat, faults=no_faults)
            for seat, name in enumerate(names):
                self._sums[name].add(one.block, result, seat)
            self.matches += 1
            self.deals += result.deals
            self.seconds = time.perf_counter() - began
            yield self.matches

    @property
    def matches_per_second(self) -> float:
        """Zero before the first match."""
        return self.matches / self.seconds if self.seconds else 0.0

    def lines(self) -> list[Line]:
        """Give the bots' figures, most points a deal first."""
        lines = [sums.line(bot) for bot, sums in self._sums.items()]
        return sorted(lines, key=lambda line: (-_value(line), line.bot))

    def document(self) -> dict[str, object]:
        """Give everything as JSON values; all but the times follow from the seed."""
        return {
            "preset": self.preset,
            "players": self.players,
            "rules_hash": self.rules.hash(self.players),
            "seed": self.seed,
            "matches": self.matches,
            "deals": self.deals,
            "bots": [_line_document(line) for line in self.lines()],
            "seconds": round(self.seconds, 3),
            "matches_per_second": round(self.matches_per_second, 3),
        }

    def text(self) -> Iterator[str]:
        """Print the figures; behind +- stands the standard error."""
        yield f"{self.preset}, {self.players} players, seed {self.seed}"
        speed = f"{self.matches_per_second:.1f} matches/s"
        yield f"{self.matches} matches, {self.deals} deals, {speed}"
        yield ""
        yield (
            f"{'bot':16}{'points/match':>17}{'points/deal':>16}"
            f"{'win share':>15}{'bids hit':>15}"
        )
        for line in self.lines():
            yield (
                f"{line.bot:16}{_shown(line.points_per_match, 1):>17}"
                f"{_shown(line.points_per_deal, 2):>16}"
                f"{_shown(line.win_share, 3):>15}{_shown(line.bids_hit, 3):>15}"
            )
        even = f"{1 / self.players:.3f}"
        yield f"win share: matches won by a seat of the bot; {even} is an even share"


def _value(line: Line) -> float:
    return line.points_per_deal.value or 0.0


def _line_document(line: Line) -> dict[str, object]:
    document: dict[str, object] = {"bot": line.bot, "seats": line.seats}
    for name, value in line._asdict().items():
        if isinstance(value, Estimate):
            document[name] = value.value
            document[f"{name}_error"] = value.error
    return document


def _shown(estimate: Estimate, digits: int) -> str:
    if estimate.value is None:
        return "-"
    if estimate.error is None:
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} +- {estimate.error:.{digits}f}"
