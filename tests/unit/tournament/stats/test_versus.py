"""Head to head, and the measured worth of rotations."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has none

from tests.doubles.played import block_of, match_of
from tournament.outcome import BlockResult
from tournament.stats.scores import BlockScores
from tournament.stats.versus import head_to_head, variance_reduction


def test_the_matrix_is_antisymmetric_and_has_the_paired_errors() -> None:
    rng = np.random.default_rng(5)
    seated = np.array([[0, 1, 2], [2, 0, 3], [1, 2, 0], [2, 1, 0]])
    mean = rng.normal(size=seated.shape)
    found = head_to_head(BlockScores(5, seated, mean))
    for bot, other in permutations(range(5), 2):
        one, back = found[bot][other], found[other][bot]
        if one is None or back is None:
            assert one is back is None
            continue
        both = [
            mean[b, row.index(bot)] - mean[b, row.index(other)]
            for b, row in enumerate(seated.tolist())
            if bot in row and other in row
        ]
        assert one.blocks == len(both)
        assert one.difference == pytest.approx(np.mean(both))
        assert back.difference == pytest.approx(-one.difference)
        if len(both) > 1:
            assert one.error == pytest.approx(stats.sem(both))
        else:
            assert one.error is None


def test_a_bot_has_no_cell_against_itself_or_a_stranger() -> None:
    found = head_to_head(BlockScores(4, np.array([[0, 1, 2]]), np.ones((1, 3))))
    assert found[0][0] is None
    assert found[0][3] is None


def test_rotations_cancel_the_luck_of_seats() -> None:
    rng = np.random.default_rng(8)
    results = []
    for block in range(300):
        luck = rng.normal(0, 1000, 4).tolist()

        def total(_copy: int, seat: int, _bot: int, luck: list[float] = luck) -> int:
            return round(luck[seat] + rng.normal(0, 1000))

        results.append(block_of(block, (0, 1, 2, 3), total))
    # Var of a single difference 2 (1 + 1), of a block's 2 / 4: VRF = 4 / (4 * 0.5).
    assert variance_reduction(results) == pytest.approx(2.0, rel=0.1)


def test_without_luck_of_seats_rotations_are_worth_nothing_more() -> None:
    rng = np.random.default_rng(9)
    results = [
        block_of(b, (0, 1, 2), lambda _c, _s, _b: round(rng.normal(0, 1000)))
        for b in range(300)
    ]
    assert variance_reduction(results) == pytest.approx(1.0, rel=0.1)


def test_one_block_or_no_variation_measures_nothing() -> None:
    one = block_of(0, (0, 1, 2), lambda _c, seat, _b: seat)
    assert variance_reduction([]) is None
    assert variance_reduction([one]) is None
    assert variance_reduction([one, one]) is None


def test_blocks_of_one_copy_are_single_matches() -> None:
    rng = np.random.default_rng(10)
    results = [
        BlockResult(
            block, 0, (0, 1, 2), (match_of((0, 1, 2), rng.integers(0, 99, 3).tolist()),)
        )
        for block in range(4)
    ]
    assert variance_reduction(results) == pytest.approx(1.0)
