"""Ratings and points do not depend on names, order of matches, or order of seats."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.doubles.played import match_of
from tournament.outcome import BlockResult
from tournament.stats.points import points
from tournament.stats.ratings import ratings
from tournament.stats.scores import block_scores

BOTS = 5


@st.composite
def tournaments(draw: st.DrawFn) -> list[BlockResult]:
    """Draw one to six blocks of three copies, with many ties."""
    results = []
    for block in range(draw(st.integers(1, 6))):
        seating = draw(st.permutations(range(BOTS)))[:3]
        copies = tuple(
            match_of(
                draw(st.permutations(seating)),
                draw(st.lists(st.integers(0, 2), min_size=3, max_size=3)),
            )
            for _ in range(3)
        )
        results.append(BlockResult(block, 0, tuple(seating), copies))
    return results


def elos(results: list[BlockResult]) -> list[float]:
    """Rate without intervals; a bot that has not played counts as 0."""
    found = ratings(results, BOTS, replicates=0).by_bot
    return [one.elo if one else 0.0 for one in found]


def effects(results: list[BlockResult]) -> list[float]:
    """Estimate points versus the field; a bot that has not played counts as 0."""
    found = points(block_scores(results, BOTS))
    return [one.versus_field if one else 0.0 for one in found]


def relabelled(results: list[BlockResult], label: list[int]) -> list[BlockResult]:
    """Call bot i label[i]."""
    return [
        replace(
            result,
            seating=tuple(label[bot] for bot in result.seating),
            copies=tuple(
                replace(copy, seats=tuple(label[bot] for bot in copy.seats))
                for copy in result.copies
            ),
        )
        for result in results
    ]


@settings(max_examples=40)
@given(results=tournaments(), data=st.data())
def test_the_order_of_matches_and_seats_does_not_matter(
    results: list[BlockResult], data: st.DataObject
) -> None:
    turned = [
        replace(
            result,
            copies=tuple(
                match_of(copy.seats[::-1], copy.totals[::-1])
                for copy in data.draw(st.permutations(result.copies))
            ),
        )
        for result in data.draw(st.permutations(results))
    ]
    assert elos(turned) == pytest.approx(elos(results), abs=1e-9)
    assert effects(turned) == pytest.approx(effects(results), abs=1e-9)


@settings(max_examples=40)
@given(results=tournaments(), label=st.permutations(range(BOTS)))
def test_names_do_not_matter(results: list[BlockResult], label: list[int]) -> None:
    renamed = relabelled(results, label)
    before, after = elos(results), elos(renamed)
    assert [after[label[bot]] for bot in range(BOTS)] == pytest.approx(before, abs=1e-9)
    before, after = effects(results), effects(renamed)
    assert [after[label[bot]] for bot in range(BOTS)] == pytest.approx(before, abs=1e-9)


@settings(max_examples=25)
@given(results=tournaments())
def test_every_rating_is_finite_and_inside_its_interval_if_it_has_one(
    results: list[BlockResult],
) -> None:
    found = ratings(results, BOTS, replicates=30)
    for one in found.by_bot:
        if one is not None:
            assert 0 < one.elo < 3000
            if one.interval is not None:
                assert one.interval.lo <= one.interval.hi
    assert sorted(bot for group in found.met for bot in group) == sorted(
        bot for bot in range(BOTS) if found.by_bot[bot]
    )


@settings(max_examples=40)
@given(totals=st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_in_one_match_a_better_rank_never_has_the_lower_rating(
    totals: list[int],
) -> None:
    block = BlockResult(0, 0, tuple(range(5)), (match_of(range(5), totals),))
    elo = elos([block])
    for bot in range(5):
        for other in range(5):
            if totals[bot] == totals[other]:
                assert elo[bot] == pytest.approx(elo[other], abs=1e-9)
            elif totals[bot] > totals[other]:
                assert elo[bot] > elo[other]
