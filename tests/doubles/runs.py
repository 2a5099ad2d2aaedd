"""Specs, journals and an executor for tests of how a run is walked through."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.doubles.played import match_of
from tournament.blocks import MatchPlan
from tournament.executors.port import MatchVoid, Played
from tournament.identity import new_charter
from tournament.journal import Journal
from tournament.outcome import BlockResult, CopyResult
from tournament.records import packed
from tournament.spec import Spec, parse_spec

HOUSE = ("random", "lowest", "greedy", "expected-tricks")


def spec_of(
    *,
    blocks: int = 6,
    lookahead: int = 32,
    seed: int | None = 1,
    bots: str = "",
    top: str = "",
) -> Spec:
    """Give a spec of four seats; `bots` is TOML in place of the house bots.

    `top` are further keys.
    """
    given = bots or "".join(f'[[bots]]\nhouse = "{name}"\n' for name in HOUSE)
    seed_line = "" if seed is None else f"seed = {seed}\n"
    text = (
        f'name = "t"\n{top}{seed_line}lookahead = {lookahead}\n'
        f"[schedule]\nblocks = {blocks}\n{given}"
    )
    return parse_spec(text, file=Path("t.toml"), house_bots=HOUSE)


def journal_of(spec: Spec, folder: Path) -> Journal:
    """Open the journal of a run in a folder, a new one if there is none."""
    path = folder / "run.db"
    return (
        Journal.open(path) if path.exists() else Journal.create(path, new_charter(spec))
    )


def outcome_of(plan: MatchPlan) -> CopyResult:
    """Give a result that depends on the plan alone."""
    totals = [(bot + 1) * 10 + plan.seed[0] % 7 + plan.copy for bot in plan.seats]
    return match_of(plan.seats, totals)


class ScriptedExecutor:
    """Ends matches when it is told to, in any order."""

    def __init__(self) -> None:
        self.begun: list[MatchPlan] = []
        self.cancelled: list[MatchPlan] = []
        self.most_at_once = 0
        self._news = asyncio.Event()
        self._under_way: dict[tuple[int, int, int], asyncio.Future[Played]] = {}

    async def play(self, plan: MatchPlan) -> Played:
        key = (plan.block, plan.attempt, plan.copy)
        self.begun.append(plan)
        self._news.set()
        ended: asyncio.Future[Played] = asyncio.get_running_loop().create_future()
        assert key not in self._under_way, f"{key} is played twice at the same time"
        self._under_way[key] = ended
        self.most_at_once = max(self.most_at_once, len(self._under_way))
        try:
            return await ended
        except asyncio.CancelledError:
            self.cancelled.append(plan)
            raise
        finally:
            del self._under_way[key]

    @property
    def waiting(self) -> list[MatchPlan]:
        """Matches under way, the longest first."""
        return [
            plan
            for plan in self.begun
            if (plan.block, plan.attempt, plan.copy) in self._under_way
        ]

    def end(self, plan: MatchPlan) -> None:
        """Let a match end as its plan says."""
        key = (plan.block, plan.attempt, plan.copy)
        self._under_way[key].set_result(Played(outcome_of(plan), packed(plan.name)))

    def void(self, plan: MatchPlan, reason: str = "the host was lost") -> None:
        """Let a match fail without anybody's fault."""
        key = (plan.block, plan.attempt, plan.copy)
        self._under_way[key].set_exception(MatchVoid(reason))

    async def until_begun(self, matches: int) -> None:
        """Wait until so many matches have been begun in all."""
        while len(self.begun) < matches:
            self._news.clear()
            await self._news.wait()

    async def end_all(self, choose: Callable[[Sequence[MatchPlan]], MatchPlan]) -> None:
        """End matches one by one, as `choose` picks them, until none comes any more."""
        while await self.settled():
            self.end(choose(self.waiting))

    async def settled(self) -> list[MatchPlan]:
        """Give the runner its turns, and then what is under way."""
        for _ in range(5):
            await asyncio.sleep(0)
        return self.waiting


class InstantExecutor:
    """Ends every match as its plan says, at the next turn of the loop."""

    async def play(self, plan: MatchPlan) -> Played:
        await asyncio.sleep(0)
        return Played(outcome_of(plan), packed(plan.name))


class Listener:
    """Notes what a run tells."""

    def __init__(self) -> None:
        self.blocks: list[int] = []
        self.voids: list[tuple[int, str]] = []

    def committed(self, results: Sequence[BlockResult]) -> None:
        self.blocks += [result.block for result in results]

    def voided(self, block: int, reason: str) -> None:
        self.voids.append((block, reason))
