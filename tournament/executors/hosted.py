"""Matches on tables of the server in this process; bots are where their lanes are."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence

from engine.record import print_record, record_of
from server.arena import BotDeclines, BotNotReady
from server.decision import Question
from server.guard import Fault, FaultCounts
from server.host import Host
from server.outcome import End, Outcome
from server.players.port import Link, Player, Withdrawal
from server.setup import TableSetup
from server.table import Table
from tournament.blocks import MatchPlan
from tournament.executors.port import MatchVoid, Played
from tournament.lanes import Lane, Lanes
from tournament.records import packed
from tournament.spec import House, Spec
from tournament.tallying import copy_result

CRASH = "CRASH"
"""The fault of a bot whose process ended during a match."""


class HostedExecutor:
    """Opens a table for each match; the host drives it."""

    def __init__(
        self,
        spec: Spec,
        host: Host,
        lanes: Lanes,
    ) -> None:
        """House bots without a process of their own are the host's."""
        self._spec = spec
        self._rules_hash = spec.rules_hash
        self._host = host
        self._lanes = lanes

    async def play(self, plan: MatchPlan) -> Played:
        """Play a match; raises `MatchVoid`. Cancelling cancels the table."""
        ended = asyncio.get_running_loop().create_future()
        lanes = [self._lanes.lane(bot, plan.copy) for bot in plan.seats]
        crashes = [lane.crashes if lane else 0 for lane in lanes]
        try:
            players = [self._player(plan, seat) for seat in range(len(plan.seats))]
        except (BotNotReady, BotDeclines) as error:
            raise MatchVoid(str(error)) from error
        table = self._host.open_table(self._setup(plan), players, ended.set_result)
        try:
            # Not the future itself: cancelling this must leave it to the table.
            await asyncio.wait({ended})
        finally:
            table.cancel(End.VOIDED)
        outcome = table.outcome
        if outcome is None or outcome.why is not End.PLAYED:
            raise MatchVoid(f"match {plan.name} failed; the log says how")
        faults = _with_crashes(outcome.faults, lanes, crashes)
        # Tens of milliseconds, which would be charged to bots that are answering.
        return await asyncio.to_thread(_sum_up, table, plan.seats, faults)

    def _setup(self, plan: MatchPlan) -> TableSetup:
        spec = self._spec
        return TableSetup(
            # Bots are told this name, and must not see which tables share a block.
            table=secrets.token_hex(8),
            rules=spec.rules,
            players=tuple(spec.entrants[bot].name for bot in plan.seats),
            first_dealer=plan.first_dealer(spec.rules),
            decks=plan.decks(spec.rules),
            bot_seeds=plan.bot_seeds,
            preset=spec.preset,
            rules_hash=self._rules_hash,
            clock=spec.time,
        )

    def _player(self, plan: MatchPlan, seat: int) -> Player:
        bot = plan.seats[seat]
        entrant = self._spec.entrants[bot]
        if bot in plan.suspended:
            return FallbackPlayer()
        match entrant.source:
            case House(house, in_process=True):
                return self._host.house_player(house)
            case _:
                lane = entrant.lane_of(plan.copy)
                return self._host.player(entrant.name, lane, self._spec.rules)


class FallbackPlayer:
    """Sits in for a suspended bot: whatever is asked, the fallback player decides."""

    link = Link.LOCAL

    def seated(self, table: Table, seat: int) -> None:
        """Needs no preparation."""

    def ask(self, question: Question) -> None:
        """Leave the decision to the table."""
        question.table.stand_in(question)

    def has(self, question: Question) -> bool:
        """Holds no question."""
        return False

    def withdraw(self, question: Question, why: Withdrawal) -> None:
        """Holds no question."""

    def ended(self, outcome: Outcome) -> None:
        """Holds no table."""


def _sum_up(
    table: Table, seats: tuple[int, ...], faults: Sequence[FaultCounts]
) -> Played:
    record = record_of(table.match, table.setup.players)
    result = copy_result(record.entries, seats=seats, faults=faults)
    return Played(result, packed(print_record(record)))


def _with_crashes(
    faults: Sequence[FaultCounts], lanes: Sequence[Lane | None], before: Sequence[int]
) -> list[FaultCounts]:
    """Count the ends of bots' processes during the match, and not twice.

    The server sees no more of them than a lost stream, and that only if it lasts. A
    process that has lasted for a match has proved that it can.
    """
    counted: list[FaultCounts] = []
    for counts, lane, earlier in zip(faults, lanes, before, strict=True):
        crashes = lane.crashes - earlier if lane else 0
        lost = max(0, counts.get(Fault.DISCONNECT, 0) - crashes)
        own = {**counts, Fault.DISCONNECT: lost, CRASH: crashes}
        if lane and not crashes:
            lane.restarts.proved()
        counted.append({str(fault): times for fault, times in own.items() if times})
    return counted
