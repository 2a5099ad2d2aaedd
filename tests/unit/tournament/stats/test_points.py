"""Points per deal: least squares, and intervals that cover."""

from random import Random

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has none

from tests.doubles.played import block_of
from tournament.schedule import round_robin
from tournament.stats.points import points
from tournament.stats.scores import BlockScores, block_scores


def drawn(bots: int, seats: int, blocks: int, seed: int) -> np.ndarray:
    """Seat a round robin with a reproducible stream for every block."""
    schedule = round_robin(
        bots,
        seats,
        lambda index: Random(f"{seed}/{index}").randrange,  # noqa: S311 - no secret
    )
    return np.array([schedule.block(index).seating for index in range(blocks)])


def test_bots_that_always_meet_get_their_means_and_the_paired_t_interval() -> None:
    rng = np.random.default_rng(1)
    seated = np.tile(np.arange(4), (9, 1))
    mean = rng.normal(5, 2, (9, 4))
    distance = mean - mean.mean(axis=1, keepdims=True)
    for bot, found in enumerate(points(BlockScores(4, seated, mean))):
        assert found is not None
        own = distance[:, bot]
        assert found.per_deal == pytest.approx(mean[:, bot].mean())
        assert found.versus_field == pytest.approx(own.mean())
        expected = stats.t.interval(0.95, 8, loc=found.per_deal, scale=stats.sem(own))
        assert found.interval == pytest.approx(expected)


def test_incomplete_blocks_agree_with_least_squares_on_dummy_variables() -> None:
    rng = np.random.default_rng(2)
    seated = drawn(7, 3, 10, seed=3)
    mean = rng.normal(5, 2, seated.shape)
    rows = np.zeros((mean.size, 7 + len(seated)))
    for row, (block, place) in enumerate(np.ndindex(*seated.shape)):
        rows[row, seated[block, place]] = 1
        rows[row, 7 + block] = 1
    solution, *_ = np.linalg.lstsq(rows, mean.ravel(), rcond=None)
    expected = solution[:7] - solution[:7].mean()
    found = [one.versus_field for one in points(BlockScores(7, seated, mean)) if one]
    assert found == pytest.approx(expected)


def test_a_block_effect_of_any_size_moves_nobody() -> None:
    rng = np.random.default_rng(3)
    seated = drawn(6, 4, 20, seed=1)
    mean = rng.normal(0, 1, seated.shape)
    lucky = mean + rng.normal(0, 1000, (20, 1))
    plain = points(BlockScores(6, seated, mean))
    moved = points(BlockScores(6, seated, lucky))
    for one, other in zip(plain, moved, strict=True):
        assert one is not None
        assert other is not None
        assert one.versus_field == pytest.approx(other.versus_field, abs=1e-9)


def test_who_met_the_weak_half_is_not_above_its_equal_who_met_the_strong() -> None:
    strength = [0.0, 0.0, 3.0, 4.0, -3.0, -4.0]
    seated = np.array([[0, 2, 3], [1, 4, 5], [2, 3, 4], [2, 5, 3], [4, 5, 2]] * 3)
    mean = np.array(strength)[seated]
    found = points(BlockScores(6, seated, mean))
    assert [one.versus_field for one in found if one] == pytest.approx(strength)


def test_a_field_of_its_own_is_centred_on_itself() -> None:
    seated = np.array([[0, 1, 2], [3, 4, 5]] * 4)
    mean = np.array([[1.0, 2.0, 3.0], [101.0, 102.0, 103.0]] * 4)
    found = points(BlockScores(7, seated, mean))
    assert [round(one.versus_field, 9) for one in found if one] == [-1, 0, 1] * 2
    assert [round(one.per_deal, 9) for one in found if one] == [1, 2, 3, 101, 102, 103]
    assert found[6] is None


def test_one_block_has_no_interval() -> None:
    found = points(BlockScores(3, np.array([[2, 0, 1]]), np.array([[1.0, 2.0, 6.0]])))
    assert [one and one.per_deal for one in found] == pytest.approx([2, 6, 1])
    assert [one and one.interval for one in found] == [None] * 3


@pytest.mark.parametrize(
    ("bots", "seats", "blocks"), [(4, 4, 4), (7, 3, 14), (12, 4, 33)]
)
def test_the_interval_covers_the_truth_in_95_percent_of_tournaments(
    bots: int, seats: int, blocks: int
) -> None:
    rng = np.random.default_rng(bots)
    truth = np.linspace(-1, 1, bots)
    trials, covered = 300, 0
    for trial in range(trials):
        seated = drawn(bots, seats, blocks, trial % 20)
        luck = rng.normal(0, 3, (blocks, 1))
        mean = truth[seated] + luck + rng.normal(0, 1, seated.shape)
        for bot, found in enumerate(points(BlockScores(bots, seated, mean))):
            assert found is not None
            assert found.interval is not None
            half = (found.interval.hi - found.interval.lo) / 2
            covered += abs(found.versus_field - truth[bot]) <= half
    # 95 % of at least 1,200 intervals, which are correlated within a tournament.
    assert 0.93 <= covered / (trials * bots) <= 0.97


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_a_stub_that_scores_its_seat_number_leaves_all_bots_equal(seats: int) -> None:
    results = [
        block_of(block, seating, lambda _copy, seat, _bot: 7 * seat, deals=7)
        for block, seating in enumerate(drawn(seats + 2, seats, 12, seed=5).tolist())
    ]
    scores = block_scores(results, seats + 2)
    assert np.all(scores.mean == (seats - 1) / 2)
    for found in points(scores):
        assert found is not None
        assert found.versus_field == pytest.approx(0, abs=1e-12)
