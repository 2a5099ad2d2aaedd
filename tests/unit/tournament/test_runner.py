"""The runner: busy tables, the same journal in any order, and a clean way out."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.doubles.runs import Listener, ScriptedExecutor, journal_of, spec_of
from tournament.blocks import MatchPlan
from tournament.course import Course, TooManyVoids
from tournament.executors.port import Played
from tournament.outcome import BlockResult
from tournament.runner import Runner
from tournament.stopping import Stopping, Urgency, until_stopped

Choose = Callable[[Sequence[MatchPlan]], MatchPlan]


class Rig:
    """A runner over a journal, with everything that it talks to."""

    def __init__(self, folder: Path, *, blocks: int = 6, concurrency: int = 8) -> None:
        self.spec = spec_of(blocks=blocks)
        self.journal = journal_of(self.spec, folder)
        self.course = Course(self.spec, self.journal)
        self.executor = ScriptedExecutor()
        self.listener = Listener()
        self.stopping = Stopping()
        self.runner = Runner(
            self.course,
            self.executor,
            concurrency=concurrency,
            audience=(self.listener,),
            stopping=self.stopping,
        )

    async def play(self, choose: Choose) -> list[BlockResult]:
        async with asyncio.TaskGroup() as group:
            group.create_task(self.runner.run())
            group.create_task(self.executor.end_all(choose))
        results = self.journal.committed()
        self.journal.close()
        return results


def first(plans: Sequence[MatchPlan]) -> MatchPlan:
    return plans[0]


def last(plans: Sequence[MatchPlan]) -> MatchPlan:
    return plans[-1]


@pytest.mark.parametrize("concurrency", [1, 3, 16, 64])
async def test_results_do_not_depend_on_what_ends_first(
    tmp_path: Path, concurrency: int
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    expected = await Rig(tmp_path / "a", concurrency=1).play(first)
    rig = Rig(tmp_path / "b", concurrency=concurrency)
    luck = random.Random(concurrency)  # noqa: S311 - an order, not a secret
    assert await rig.play(luck.choice) == expected
    assert rig.listener.blocks == list(range(6))
    assert rig.executor.most_at_once == min(concurrency, 24)


async def test_matches_begin_in_schedule_order(tmp_path: Path) -> None:
    rig = Rig(tmp_path, concurrency=5)
    await rig.play(last)
    begun = [(plan.block, plan.copy) for plan in rig.executor.begun]
    assert begun == sorted(begun)


async def test_a_void_takes_the_other_copies_with_it_and_plays_the_block_again(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path, blocks=2, concurrency=8)

    def void_once(plans: Sequence[MatchPlan]) -> MatchPlan:
        if not rig.listener.voids and len(rig.executor.begun) == 8:
            rig.executor.void(plans[2])
            return plans[-1]
        return plans[0]

    results = await rig.play(void_once)
    assert rig.listener.voids == [(0, "the host was lost")]
    assert [plan.copy for plan in rig.executor.cancelled] == [0, 1, 3]
    assert [result.block for result in results] == [0, 1]
    again = [plan for plan in rig.executor.begun if plan.block == 0]
    assert [plan.copy for plan in again] == [0, 1, 2, 3, 0, 1, 2, 3]


async def test_our_own_mistakes_void_a_block_and_end_the_run_if_they_stay(
    tmp_path: Path,
) -> None:
    class Broken:
        async def play(self, plan: MatchPlan) -> Played:
            raise ZeroDivisionError("of ours")

    rig = Rig(tmp_path)
    rig.runner._executor = Broken()
    with pytest.raises(TooManyVoids, match="ZeroDivisionError: of ours"):
        await rig.runner.run()
    rig.journal.close()


async def test_when_told_to_stop_soon_blocks_under_way_are_played_to_their_end(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path, concurrency=6)

    def stop_then_end(plans: Sequence[MatchPlan]) -> MatchPlan:
        rig.stopping.ask(Urgency.SOON)
        return plans[0]

    results = await rig.play(stop_then_end)
    assert [result.block for result in results] == [0, 1]
    assert len(rig.executor.begun) == 8


async def test_when_told_to_stop_now_matches_are_voided_and_nothing_is_left(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path, concurrency=6)
    run = asyncio.create_task(until_stopped(rig.runner.run(), rig.stopping))
    await rig.executor.until_begun(6)
    rig.stopping.ask(Urgency.NOW)
    assert await run is False
    assert rig.executor.waiting == []
    assert len(rig.executor.cancelled) == 6
    assert rig.journal.committed() == []
    rig.journal.close()


async def test_a_later_session_ends_as_if_there_had_been_no_other(
    tmp_path: Path,
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    expected = await Rig(tmp_path / "a").play(first)
    cut = Rig(tmp_path / "b", concurrency=7)
    run = asyncio.create_task(until_stopped(cut.runner.run(), cut.stopping))
    for _ in range(9):
        cut.executor.end((await cut.executor.settled())[-1])
    cut.stopping.ask(Urgency.NOW)
    await run
    cut.journal.close()
    assert await Rig(tmp_path / "b", concurrency=3).play(last) == expected
