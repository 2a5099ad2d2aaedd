"""Ratings at the edges: perfect records, split fields, ties, one block."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from tests.doubles.played import block_of, match_of
from tournament.outcome import BlockResult
from tournament.schedule import design
from tournament.stats.ratings import ELO_PER_LOG_WORTH, Mark, ratings
from tournament.stats.shares import win_shares


def constant(
    strength: dict[int, int], tables: list[tuple[int, ...]]
) -> list[BlockResult]:
    """Play tables whose bots always score their strength."""
    return [
        block_of(block, table, lambda _copy, _seat, bot: strength[bot])
        for block, table in enumerate(tables)
    ]


def test_a_bot_that_always_wins_is_finite_marked_and_without_an_interval() -> None:
    found = ratings(constant({0: 3, 1: 2, 2: 1}, [(0, 1, 2), (2, 1, 0)] * 5), 3)
    first, middle, last = found.by_bot
    assert first is not None
    assert middle is not None
    assert last is not None
    assert 1500 < first.elo < 3000
    assert (first.mark, middle.mark, last.mark) == (Mark.ABOVE, Mark.NONE, Mark.BELOW)
    assert first.interval is middle.interval is last.interval is None
    assert found.mutual == ((0,), (1,), (2,))
    assert found.met == ((0, 1, 2),)


def test_the_others_keep_their_intervals_beside_a_perfect_record() -> None:
    rng = Random(4)  # noqa: S311 - no secret
    results = [
        block_of(b, (0, 1, 2), lambda _c, _s, bot: 99 if bot == 0 else rng.randrange(9))
        for b in range(12)
    ]
    found = ratings(results, 3)
    assert found.mutual == ((0,), (1, 2))
    assert [one and one.interval is None for one in found.by_bot] == [
        True,
        False,
        False,
    ]
    one = found.by_bot[1]
    assert one is not None
    assert one.interval is not None
    assert one.interval.lo < one.elo < one.interval.hi
    # The gap to the perfect bot rests on the prior; it does not widen the others'.
    assert one.interval.hi - one.interval.lo < 250


def test_all_ties_leave_all_ratings_equal() -> None:
    found = ratings(constant(dict.fromkeys(range(5), 8), [(0, 1, 2), (2, 3, 4)] * 3), 5)
    assert [one and one.elo for one in found.by_bot] == pytest.approx([1500.0] * 5)
    assert found.mutual == ((0, 1, 2, 3, 4),)
    for one in found.by_bot:
        assert one is not None
        assert one.interval == pytest.approx((1500.0, 1500.0))
        assert one.mark is Mark.NONE


def test_groups_that_never_met_are_each_centred_and_named() -> None:
    found = ratings(
        constant({0: 1, 1: 2, 2: 3, 3: 5, 4: 5, 5: 5}, [(0, 1, 2), (3, 4, 5)]), 7
    )
    assert found.met == ((0, 1, 2), (3, 4, 5))
    assert found.by_bot[6] is None
    for group in found.met:
        elos = [one.elo for bot in group if (one := found.by_bot[bot])]
        assert sum(elos) / 3 == pytest.approx(1500)


def test_one_block_has_ratings_and_no_intervals() -> None:
    totals = {0: (5, 1, 3), 1: (3, 4, 5), 2: (1, 8, 8)}
    copies = tuple(match_of((0, 1, 2), totals[copy]) for copy in range(3))
    found = ratings([BlockResult(0, 0, (0, 1, 2), copies)], 3)
    assert found.mutual == ((0, 1, 2),)
    assert [one and one.interval for one in found.by_bot] == [None] * 3


def test_ties_place_tied_bots_equal_and_better_ranks_higher() -> None:
    copies = (match_of((0, 1, 2, 3, 4), (9, 9, 7, 5, 3)),)
    found = ratings([BlockResult(0, 0, (0, 1, 2, 3, 4), copies)], 5)
    elo = [one.elo for one in found.by_bot if one]
    assert elo[0] == pytest.approx(elo[1], abs=1e-9)
    assert elo[1] > elo[2] > elo[3] > elo[4]


def test_the_rating_adjusts_for_who_was_met() -> None:
    # 0 met the strong 2 and 3, 1 met the weak 4 and 5, each with every order once.
    orders = list(permutations((1, 2, 3)))
    copies = [
        (table, match_of(table, order))
        for table in ((0, 2, 3), (1, 4, 5))
        for order in orders
    ]
    for strong in (2, 3):
        table = (strong, 4, 5)
        copies += [(table, match_of(table, (9, *order[:2]))) for order in orders]
        copies += [(table, match_of(table, order)) for order in orders[:2]]
    results = [
        BlockResult(block, 0, table, (match,))
        for block, (table, match) in enumerate(copies)
    ]
    shares = [share and share.rate for share in win_shares(results, 6)]
    assert shares[0] == shares[1] == 1 / 3
    zero, one = ratings(results, 6, replicates=0).by_bot[:2]
    assert zero is not None
    assert one is not None
    assert zero.elo > one.elo + 100


def test_the_interval_covers_the_truth_in_about_95_percent_of_tournaments() -> None:
    rng = np.random.default_rng(11)
    theta = np.array([-0.6, -0.2, 0.2, 0.6])
    trials, covered = 40, 0

    def total(_copy: int, _seat: int, bot: int) -> int:
        return round(1e9 * float(theta[bot] + rng.gumbel()))

    for _ in range(trials):
        results = [
            block_of(block, design(4, 4).tables[block % 6], total)
            for block in range(20)
        ]
        for bot, found in enumerate(ratings(results, 4, replicates=100).by_bot):
            assert found is not None
            assert found.interval is not None
            truth = 1500 + ELO_PER_LOG_WORTH * theta[bot]
            covered += found.interval.lo <= truth <= found.interval.hi
    assert 0.88 <= covered / (4 * trials) <= 0.99
