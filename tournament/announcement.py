"""What is said before a run begins: how much there is to do, and what holds."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import assert_never

from engine.plan import deal_plan
from tournament.course import Course
from tournament.lanes import STARTED_AT_ONCE
from tournament.launcher import Isolation
from tournament.progress import duration
from tournament.spec import Command, Dialled, Duplicate, House, Spec

DECISIONS_PER_SECOND = 5_000
"""What two cores do with bots that answer at once; for a first estimate only."""


def opening_words(spec: Spec, course: Course, isolation: Isolation) -> Iterator[str]:
    """Give the lines that open a run or a further session of it, 80 columns wide."""
    for sentence in _sentences(spec, course, isolation):
        yield from textwrap.wrap(sentence, 80, subsequent_indent="  ")


def _sentences(spec: Spec, course: Course, isolation: Isolation) -> Iterator[str]:
    left = course.blocks - len(course.committed)
    again = f" ({len(course.committed)} are played)" if course.committed else ""
    matches = left * spec.seats
    yield (
        f"{spec.name}: {left} of {course.blocks} blocks to play{again}, "
        f"{matches:,} matches, up to {spec.concurrency} at a time"
    )
    if spec.decide is not None:
        one, other = spec.decide
        yield (
            f"it ends {spec.lookahead} blocks after it is decided which of {one} and"
            f" {other} is better"
        )
    chairs, entrants = spec.blocks * spec.seats, len(spec.entrants)
    if chairs < entrants:
        yield (
            f"note on blocks: {spec.blocks} seat {chairs} of {entrants} bots; for all"
            f" to play it takes {-(-entrants // spec.seats)}, and several times as many"
            f" before they can be compared"
        )
    decisions = matches * decisions_of_match(spec)
    if decisions:
        seconds = duration(max(1.0, decisions / DECISIONS_PER_SECOND))
        yield (
            f"about {decisions:,} decisions: some {seconds} if the bots answer at once"
        )
    for warning in spec.rules.warnings(spec.seats):
        yield f"note on {warning.parameter}: {warning.message}"
    if spec.seed is None:
        yield "deals are drawn from a secret, which is told at the end"
    else:
        yield f"deals follow from seed = {spec.seed}: who knows it knows all cards"
    if spec.duplicate is Duplicate.OFF:
        yield "duplicate = off: every match has deals of its own"
    yield from _processes(spec, isolation)


def _processes(spec: Spec, isolation: Isolation) -> Iterator[str]:
    started, called = 0, 0
    for entrant in spec.entrants:
        match entrant.source:
            case Dialled(addresses=addresses):
                called += len(addresses)
            case House(_, in_process=True):
                pass
            case House() | Command():
                started += entrant.lanes
            case _:
                assert_never(entrant.source)
    if started:
        slowly = f", {STARTED_AT_ONCE} at a time" if started > STARTED_AT_ONCE else ""
        yield f"{_counted(started)} for bots started here{slowly}"
    if any(
        isinstance(entrant.source, Command) and not entrant.trusted
        for entrant in spec.entrants
    ):
        yield f"isolation = {isolation.describe()}"
    if called:
        where = "it runs" if called == 1 else "they run"
        yield f"{_counted(called)} called where {where}, in surroundings of their own"


def _counted(processes: int) -> str:
    return "1 process" if processes == 1 else f"{processes} processes"


def decisions_of_match(spec: Spec) -> int:
    """Count the bids and cards of a match, 0 where its length is open."""
    plan = deal_plan(spec.rules, spec.seats)
    if plan.length is None:
        return 0
    return spec.seats * sum(size + 1 for size in plan.sizes())
