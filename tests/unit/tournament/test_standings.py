"""Standings: one value that all reports show."""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, replace
from random import Random

import pytest

from tests.doubles.played import block_of
from tournament.outcome import BlockResult, FaultCount
from tournament.schedule import design
from tournament.standings import RunningPoints, current_points, standings
from tournament.stats.ratings import Mark

NAMES = ("ann", "bob", "cy", "dee")


def played(blocks: int, *, seed: int = 1) -> list[BlockResult]:
    """Four bots of strength 0, 3, 6, 9 points a match, with noise that overlaps."""
    rng = Random(seed)  # noqa: S311 - no secret

    def total(_copy: int, seat: int, bot: int) -> int:
        return seat + 3 * bot + rng.randrange(12)

    return [
        block_of(block, design(4, 4).tables[block % 6], total, deals=5)
        for block in range(blocks)
    ]


def numbers(value: object) -> Iterator[float]:
    """Walk all numbers of nested plain data."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, float | int):
        yield value


def test_lines_are_in_order_of_points_and_numbered() -> None:
    found = standings(played(30), NAMES, replicates=50)
    assert [line.name for line in found.lines] == ["dee", "cy", "bob", "ann"]
    assert [line.place for line in found.lines] == [1, 2, 3, 4]
    assert (found.blocks, found.matches) == (30, 120)
    assert found.warnings == ()
    for line in found.lines:
        assert (line.blocks, line.matches, line.deals) == (30, 120, 600)
        assert line.points_per_deal == line.mean_points_per_deal
        assert line.points_per_deal is not None
        assert line.rating is not None
        assert line.ci is not None
        assert line.rating_ci is not None
        assert line.ci.lo < line.points_per_deal < line.ci.hi
        assert line.rating_ci.lo < line.rating < line.rating_ci.hi
    assert sum(line.rating or 0 for line in found.lines) == pytest.approx(6000, abs=0.3)


def test_equal_points_share_a_place_and_the_next_is_left_out() -> None:
    points = (5, 9, 5, 1)
    blocks = [block_of(b, (0, 1, 2, 3), lambda _c, _s, i: points[i]) for b in range(3)]
    found = standings(blocks, NAMES, replicates=20)
    assert [(line.place, line.name) for line in found.lines] == [
        (1, "bob"),
        (2, "ann"),
        (2, "cy"),
        (4, "dee"),
    ]
    assert [line.mark for line in found.lines] == [
        Mark.ABOVE,
        Mark.NONE,
        Mark.NONE,
        Mark.BELOW,
    ]
    assert "only a bound: ann, cy | bob | dee" in found.warnings[0]


def test_the_order_of_arrival_changes_nothing() -> None:
    blocks = played(12)
    shuffled = blocks[::-1][5:] + blocks[::-1][:5]
    assert standings(shuffled, NAMES) == standings(blocks, NAMES)


@pytest.mark.parametrize("blocks", [0, 1, 2, 3])
def test_few_blocks_give_no_number_that_json_cannot_write(blocks: int) -> None:
    found = asdict(standings(played(blocks), NAMES, replicates=50))
    assert all(math.isfinite(number) for number in numbers(found))
    assert json.dumps(found, default=str, allow_nan=False)


def test_no_blocks_know_nothing_and_one_block_has_no_intervals() -> None:
    nothing = standings([], NAMES)
    assert "No block has been completed" in nothing.warnings[0]
    for line in nothing.lines:
        assert (
            line.place is line.points_per_deal is line.rating is line.win_share is None
        )
    one = standings(played(1), NAMES)
    assert "One block gives no intervals" in one.warnings[0]
    for line in one.lines:
        assert line.points_per_deal is not None
        assert line.ci is line.rating_ci is line.win_share_ci is line.bid_hit_ci is None


def test_a_bot_that_has_not_played_stands_last_without_a_place() -> None:
    found = standings(played(4), (*NAMES, "eve"), replicates=20)
    last = found.lines[-1]
    assert (last.name, last.place, last.blocks) == ("eve", None, 0)


def test_bots_that_have_not_played_are_counted_in_a_warning() -> None:
    blocks = [
        block_of(index, (0, 1, 2), lambda copy, seat, bot: bot) for index in (0, 1)
    ]
    table = standings(blocks, ("a", "b", "c", "d", "e"), replicates=10)
    assert any(
        text.startswith("2 of 5 bots have not played") for text in table.warnings
    )
    everybody = standings(blocks, ("a", "b", "c"), replicates=10)
    assert not any("not played" in text for text in everybody.warnings)


def test_groups_that_never_met_are_named() -> None:
    def total(copy: int, _seat: int, bot: int) -> int:
        return (copy * bot) % 3

    blocks = [block_of(0, (0, 1, 2), total), block_of(1, (3, 4, 5), total)]
    found = standings(blocks, ("a", "b", "c", "d", "e", "f"), replicates=20)
    assert any("a, b, c | d, e, f" in warning for warning in found.warnings)


def test_of_many_groups_that_never_met_only_the_first_are_named() -> None:
    def total(copy: int, _seat: int, bot: int) -> int:
        return (copy * bot) % 3

    seatings = [(3 * block, 3 * block + 1, 3 * block + 2) for block in range(14)]
    blocks = [block_of(block, seats, total) for block, seats in enumerate(seatings)]
    names = [f"b{bot}" for bot in range(42)]
    (warning,) = (
        text
        for text in standings(blocks, names, replicates=2).warnings
        if "never met" in text
    )
    assert warning.endswith(": b0, b1, b2 | " + warning.partition("b2 | ")[2])
    assert warning.endswith(" | b27, b28, b29 | and 4 more.")


def test_faults_are_summed_and_taint_gets_a_second_table() -> None:
    blocks = played(6)
    first = blocks[2].copies[0]
    bot = first.seats[1]
    faults = ((), (FaultCount("DEADLINE", 2), FaultCount("ILLEGAL", 1)), (), ())
    failed = replace(first, faults=faults, fallbacks=(0, 3, 0, 0))
    blocks[2] = replace(blocks[2], copies=(failed, *blocks[2].copies[1:]))
    found = standings(blocks, NAMES, replicates=20)
    by_bot = {line.bot: line for line in found.lines}
    assert by_bot[bot].faults == (("DEADLINE", 2), ("ILLEGAL", 1))
    assert [by_bot[b].tainted for b in range(4)] == [int(b == bot) for b in range(4)]
    assert "1 of 6 blocks an action was played" in found.warnings[-1]
    clean = blocks[:2] + blocks[3:]
    assert found.untainted == standings(clean, NAMES, replicates=20)
    assert standings(clean, NAMES, replicates=20).untainted is None


def test_copies_of_unequal_length_are_said_and_scored_by_their_own_deals() -> None:
    blocks = played(2)
    longer = block_of(0, (0, 1, 2, 3), lambda _c, _s, _b: 30, deals=10).copies[1]
    blocks[0] = replace(blocks[0], copies=(blocks[0].copies[0], longer))
    found = standings(blocks, NAMES, replicates=20)
    assert any("1 of 2 blocks the copies differ" in one for one in found.warnings)


def test_deals_of_their_own_are_said_and_nothing_is_claimed_for_shared_ones() -> None:
    def block(index: int) -> BlockResult:
        return block_of(
            index, (0, 1, 2), lambda copy, seat, bot: (bot * 7 + copy * index) % 5
        )

    blocks = [block(index) for index in range(6)]
    shared = standings(blocks, "abc", replicates=20)
    own = standings(blocks, "abc", duplicate=False, replicates=20)
    assert shared.variance_reduction is not None
    assert own.variance_reduction is None
    assert any("duplicate = off" in warning for warning in own.warnings)
    assert own.lines == shared.lines


def test_running_means_are_the_plain_means() -> None:
    blocks = played(7)
    running = RunningPoints(4)
    assert running.means() == (None,) * 4
    for block in blocks:
        running.add(block)
    assert running.means() == current_points(blocks, 4)
    lines = sorted(standings(blocks, NAMES, replicates=0).lines, key=lambda x: x.bot)
    assert [line.mean_points_per_deal for line in lines] == pytest.approx(
        running.means(), abs=1e-4
    )


def test_the_same_blocks_give_these_numbers_on_every_machine() -> None:
    found = standings(played(10), NAMES)
    assert [
        (line.name, line.points_per_deal, line.ci, line.rating, line.rating_ci)
        for line in found.lines
    ] == [
        ("dee", 3.3, (3.022, 3.578), 1732.7, (1661.8, 1873.3)),
        ("cy", 2.63, (2.3944, 2.8656), 1557.5, (1445.7, 1630.8)),
        ("bob", 2.24, (2.062, 2.418), 1471.6, (1396.7, 1526.6)),
        ("ann", 1.395, (1.2113, 1.5787), 1238.1, (1144.7, 1312.6)),
    ]
