"""The rating of a field from final ranks, against OpenSkill's: results a second.

Ours is the exact fit to all results at once, OpenSkill's one step for each in turn.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Sequence

from openskill.models import PlackettLuce as OpenSkill

from benchmarks.goals import Goal, report
from benchmarks.rounds import ROUNDS
from tournament.stats.plackett_luce import PlackettLuce
from tournament.stats.stages import Ranking

BOTS = 24
SEATS = 4
_RESULTS = 100_000
_PEER_RESULTS = 10_000


def results(count: int) -> list[Ranking]:
    """Tables of four from a field of unequal bots, a block of four matches each."""
    draw = random.Random(1)  # noqa: S311  (a benchmark, not a secret)
    found = []
    for number in range(count):
        bots = draw.sample(range(BOTS), SEATS)
        points = {bot: draw.gauss(bot / BOTS, 1) for bot in bots}
        order = sorted(bots, key=points.__getitem__, reverse=True)
        ranks = tuple([order.index(bot) + 1 for bot in bots])
        found.append(Ranking(number // SEATS, tuple(bots), ranks))
    return found


def ours(played: Sequence[Ranking]) -> None:
    """Fit all results."""
    blocks = played[-1].block + 1
    if not PlackettLuce(played, bots=BOTS, blocks=blocks).fit().settled:
        raise AssertionError("the fit has no maximum")


def theirs(played: Sequence[Ranking]) -> None:
    """Take the results one by one."""
    model = OpenSkill()
    ratings = [model.rating() for _ in range(BOTS)]
    for match in played:
        teams = [[ratings[bot]] for bot in match.bots]
        rated = model.rate(teams, ranks=list(match.ranks))
        for bot, (rating,) in zip(match.bots, rated, strict=True):
            ratings[bot] = rating


def main() -> bool:
    """Measure and print; whether the floor was reached."""
    played = results(_RESULTS)
    rates: dict[str, list[float]] = {"ours": [], "OpenSkill": []}
    for _ in range(ROUNDS):
        begun = time.process_time()
        ours(played)
        rates["ours"].append(_RESULTS / (time.process_time() - begun))
        begun = time.process_time()
        theirs(played[:_PEER_RESULTS])
        rates["OpenSkill"].append(_PEER_RESULTS / (time.process_time() - begun))
    print(f"rating: {BOTS} bots, tables of {SEATS}, {ROUNDS} interleaved rounds")
    for name, seen in rates.items():
        print(f"  {name:10}{statistics.median(seen):12,.0f} results a second")
    ratio = statistics.median(
        [a / b for a, b in zip(rates["ours"], rates["OpenSkill"], strict=True)]
    )
    return report([Goal("G13", "fit of ranks by OpenSkill's, results/s", ratio, 8.0)])


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
