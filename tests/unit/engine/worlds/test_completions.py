"""Counting tables against a list of all of them."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.worlds.completions import Completions

Shape = tuple[list[int], list[list[int]], list[int]]


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """Class sizes, their open places, and rooms that some table fills."""
    places = draw(st.integers(1, 3))
    classes = draw(st.integers(1, 3))
    table = [[draw(st.integers(0, 2)) for _ in range(places)] for _ in range(classes)]
    allowed = [
        sorted({p for p in range(places) if row[p] or draw(st.booleans())})
        for row in table
    ]
    sizes = [sum(row) for row in table]
    return sizes, allowed, [sum(column) for column in zip(*table, strict=True)]


def tables(shape: Shape) -> Counter[tuple[tuple[int, ...], ...]]:
    """Every table with the number of its arrangements."""
    sizes, allowed, rooms = shape
    rows = [
        [
            row
            for row in product(*[range(room + 1) for room in rooms])
            if sum(row) == size
            and all(p in open_ for p, number in enumerate(row) if number)
        ]
        for size, open_ in zip(sizes, allowed, strict=True)
    ]
    found: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for table in product(*rows):
        if [sum(column) for column in zip(*table, strict=True)] == rooms:
            found[table] = 1
            for row, size in zip(table, sizes, strict=True):
                left = size
                for number in row:
                    found[table] *= comb(left, number)
                    left -= number
    return found


@given(shapes())
@settings(max_examples=200)
def test_the_arrangements_are_those_of_all_tables(shape: Shape) -> None:
    every = tables(shape)
    completions = Completions(*shape)
    assert completions.total == every.total()
    if every.total() <= 2000:
        numbered = Counter(
            tuple(map(tuple, completions.table(number)))
            for number in range(completions.total)
        )
        assert numbered == every


@given(shapes(), st.integers(1, 3))
def test_cards_that_do_not_fit_cannot_be_arranged(shape: Shape, more: int) -> None:
    sizes, allowed, rooms = shape
    assert Completions(sizes, allowed, [rooms[0] + more, *rooms[1:]]).total == 0
    assert Completions([*sizes, more], [*allowed, []], rooms).total == 0
