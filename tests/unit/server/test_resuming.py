"""What a restarted server knows: everything that was committed, and nothing else."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bots.local import LOCAL_FACTORIES
from engine.events import BidMade, Cause
from engine.fallback import PlaceBid, fallback
from engine.presets import preset_names
from engine.record import record_text
from engine.rules import Rules
from engine.view import view
from server.audit import audit
from server.clock import NO_CLOCK, TimeControl
from server.decision import Reply
from server.guard import Fault
from server.host import Host
from server.lobby import Lobby
from server.notice import Presence
from server.observe import Observer
from server.outcome import State
from server.players.local import BotFactory
from server.retention import Retention
from server.served import LobbyState, LobbyTable, Opening, Spectators
from server.store import Store
from server.table import Table
from tests.doubles.patience import PATIENCE_S
from tests.doubles.tables import HandClock

BLITZ = TimeControl(per_decision_ms=1000, bank_ms=10_000, grace_ms=50)


class Noting(Observer):
    """Notes which tables were left in the store."""

    def __init__(self) -> None:
        self.left: list[str] = []

    def table_left(self, table: str, why: str) -> None:
        self.left.append(table)


class Lives:
    """One server after another on the same store; each ends as SIGKILL would end it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.clock = HandClock()
        self.observer = Noting()
        self.house_bots: dict[str, BotFactory] = dict(LOCAL_FACTORIES)
        self._begin()

    def _begin(self) -> None:
        self.store = Store(self._path)
        self.host = Host(
            house_bots=self.house_bots,
            observers=(self.observer,),
            auth_required=False,
            store=self.store,
            clock=lambda: self.clock.now,
        )
        self.lobby = Lobby(self.host)

    def restart(self) -> None:
        """What has not been committed is lost."""
        self.store.close()
        self._begin()
        self.lobby.resume()

    def open(
        self,
        preset: str = "pagat_standard",
        *,
        players: int = 3,
        house_bots: tuple[str, ...] = (),
        clock: TimeControl = NO_CLOCK,
        amendments: bool | None = None,
        seed: int | None = 5,
    ) -> tuple[LobbyTable, list[str]]:
        return self.lobby.create(
            Opening(
                rules=Rules.of(preset, players=players),
                preset=preset,
                overrides={},
                players=players,
                display_name="Friday",
                house_bots=house_bots,
                clock=clock,
                amendments=amendments,
                spectators=Spectators.OPEN,
                seed=seed,
                owner="",
            )
        )

    def sit(self, table: LobbyTable, tickets: list[str]) -> list[str]:
        """Takes all free seats; their tokens."""
        return [
            self.lobby.join(table, seat=None, name="", ticket=ticket, bot=None)[1]
            for ticket in tickets
            if ticket
        ]

    def running(self, *args: str, players: int = 3, **wanted: object) -> LobbyTable:
        table, tickets = self.open(*args, players=players, **wanted)  # type: ignore[arg-type]  # as given
        self.sit(table, tickets)
        return table

    def table(self, name: str) -> LobbyTable:
        found = self.lobby.get(name)
        assert found is not None
        return found

    def match(self, name: str) -> Table:
        playing = self.table(name).table
        assert playing is not None
        return playing


@pytest.fixture
async def lives(tmp_path: Path) -> AsyncIterator[Lives]:
    started = Lives(tmp_path / "store.db")
    yield started
    started.store.close()


def act(table: Table, now: float) -> Reply:
    """The first open decision, answered as the fallback player would."""
    question = next(q for q in table.open if q is not None)
    command = fallback(table.match, question.seat)
    return table.answer(question.seat, question.seq, 0, command, now)


def play(table: Table, now: float, most: int = 10_000) -> None:
    while table.outcome is None and most:
        assert act(table, now).accepted
        most -= 1


def uninterrupted(lives: Lives, preset: str, players: int) -> str:
    table = lives.match(lives.running(preset, players=players, seed=5).id)
    play(table, lives.clock.now)
    return record_text(table.match, table.setup.players)


@pytest.mark.parametrize("preset", preset_names())
async def test_every_preset_goes_on_as_if_nothing_had_happened(
    lives: Lives, preset: str
) -> None:
    players = min(Rules.of(preset).players)
    whole = uninterrupted(lives, preset, players)
    chance = random.Random(preset)  # noqa: S311  # repeatable, no secret
    name = lives.running(preset, players=players, seed=5).id
    for _ in range(3):
        play(lives.match(name), lives.clock.now, chance.randrange(1, 60))
        if lives.match(name).outcome is not None:
            break
        lives.host.commit()
        before = lives.match(name)
        lives.restart()
        after = lives.match(name)
        assert after.match.entries() == before.match.entries()
        assert [q and (q.seq, q.attempt) for q in after.open] == [
            q and (q.seq, q.attempt) for q in before.open
        ]
        for seat in range(players):
            assert view(after.match, seat) == view(before.match, seat)
    play(lives.match(name), lives.clock.now)
    table = lives.match(name)
    assert record_text(table.match, table.setup.players) == whole


async def test_what_was_not_committed_has_not_happened(lives: Lives) -> None:
    name = lives.running().id
    play(lives.match(name), lives.clock.now, 7)
    lives.host.commit()
    kept = lives.match(name).match.entries()
    play(lives.match(name), lives.clock.now, 5)
    lives.restart()
    assert lives.match(name).match.entries() == kept


async def test_a_table_never_committed_is_not_there(lives: Lives) -> None:
    table, tickets = lives.open()
    lives.restart()
    assert await lives.lobby.find(table.id) is None
    table, tickets = lives.open()
    lives.host.commit()
    lives.sit(table, tickets)
    lives.restart()
    assert lives.table(table.id).state is LobbyState.OPEN
    lives.sit(lives.table(table.id), tickets)
    assert lives.table(table.id).state is LobbyState.RUNNING


async def test_an_answer_repeated_after_the_crash_gets_its_acknowledgement(
    lives: Lives,
) -> None:
    name = lives.running().id
    answers = []
    for _ in range(9):
        table = lives.match(name)
        question = next(q for q in table.open if q is not None)
        command = fallback(table.match, question.seat)
        reply = act(table, lives.clock.now)
        answers.append((question.seat, question.seq, command, reply.entry))
    lives.host.commit()
    lives.restart()
    table = lives.match(name)
    last_of_each = {seat: (seq, said, entry) for seat, seq, said, entry in answers}
    assert len(last_of_each) == 3
    for seat, (seq, command, entry) in last_of_each.items():
        again = table.answer(seat, seq, 0, command, lives.clock.now)
        assert (again.accepted, again.duplicate, again.entry) == (True, True, entry)
        other = table.answer(seat, seq, 0, PlaceBid(77), lives.clock.now)
        assert other.reason == "DECISION_ALREADY_ANSWERED"


async def test_sealed_bids_are_kept_secret_and_kept(lives: Lives) -> None:
    name = lives.running("simultaneous").id
    table = lives.match(name)
    seq = table.match.seq
    for seat, bid in ((0, 1), (2, 0)):
        reply = table.answer(seat, seq, 0, PlaceBid(bid), lives.clock.now)
        assert (reply.accepted, reply.entry) == (True, 0)
    lives.host.commit()
    lives.restart()
    table = lives.match(name)
    assert [q is not None for q in table.open] == [False, True, False]
    assert sorted(table.board.sealed) == [0, 2]
    again = table.answer(0, seq, 0, PlaceBid(1), lives.clock.now)
    assert (again.accepted, again.duplicate) == (True, True)
    other = table.answer(0, seq, 0, PlaceBid(0), lives.clock.now)
    assert other.reason == "DECISION_ALREADY_ANSWERED"
    assert table.answer(1, seq, 0, PlaceBid(1), lives.clock.now).entry == seq + 1
    (opened,) = [e for e in table.match.entries(seq) if e.seq == seq + 1]
    assert opened.event.bids == (1, 1, 0)  # type: ignore[union-attr]  # BidsOpened


async def test_amendments_are_counted_over_a_crash(lives: Lives) -> None:
    name = lives.running(clock=BLITZ, amendments=True).id
    table = lives.match(name)
    first = next(q.seat for q in table.open if q is not None)
    act(table, lives.clock.now)
    bid = 0
    for _ in range(2):
        table = lives.match(name)
        bid = 1 - bid
        assert table.amend(first, table.match.seq, bid).accepted
        lives.host.commit()
        lives.restart()
    table = lives.match(name)
    assert table.amendments_of(first) == 2
    assert table.amend(first, table.match.seq, 0).reason == "BID_LOCKED"


async def test_banks_are_kept_and_open_decisions_have_a_full_limit(
    lives: Lives,
) -> None:
    name = lives.running(clock=BLITZ).id
    table = lives.match(name)
    seat = next(q.seat for q in table.open if q is not None)
    lives.clock.now += 3.5
    assert act(table, lives.clock.now).accepted
    assert table.clocks.banks[seat] == 7_500
    slow = next(q for q in table.open if q is not None)
    lives.clock.now += 5.0
    lives.host.commit()
    lives.restart()
    table = lives.match(name)
    assert table.clocks.banks[seat] == 7_500
    question = table.open[slow.seat]
    assert question is not None
    assert question.seq == slow.seq
    assert question.time_left(lives.clock.now) == (1000, 10_000)


async def test_an_increment_is_in_the_bank_that_is_kept(lives: Lives) -> None:
    clock = TimeControl(per_decision_ms=1000, bank_ms=500, increment_ms=200)
    name = lives.running(clock=clock).id
    play(lives.match(name), lives.clock.now, 5)
    banks = list(lives.match(name).clocks.banks)
    assert max(banks) > 500
    lives.host.commit()
    lives.restart()
    assert lives.match(name).clocks.banks == banks


async def test_faults_and_attempts_are_kept(lives: Lives) -> None:
    name = lives.running(clock=BLITZ).id
    table = lives.match(name)
    seat = next(q.seat for q in table.open if q is not None)
    seq = table.match.seq
    assert table.answer(seat, seq, 1, PlaceBid(99), lives.clock.now).again
    lives.host.commit()
    lives.restart()
    table = lives.match(name)
    question = table.open[seat]
    assert question is not None
    assert (question.seq, question.attempt) == (seq, 2)
    assert table.guards[seat].counts == {Fault.ILLEGAL: 1}
    refused = table.answer(seat, seq, 2, PlaceBid(99), lives.clock.now)
    assert not refused.again
    lives.host.commit()
    lives.restart()
    table = lives.match(name)
    assert table.guards[seat].counts == {Fault.ILLEGAL: 2}
    assert table.match.entry(seq + 1).cause is Cause.FALLBACK
    late = table.answer(seat, seq, 0, PlaceBid(99), lives.clock.now)
    assert late.reason == "DECISION_DEFAULTED"


async def test_an_expired_bank_stays_empty_and_its_fault_counted(lives: Lives) -> None:
    name = lives.running(clock=BLITZ).id
    table = lives.match(name)
    seat = next(q.seat for q in table.open if q is not None)
    lives.clock.now += 20.0
    lives.host.alarms.ring(lives.clock.now)
    assert table.clocks.banks[seat] == 0
    lives.host.commit()
    lives.restart()
    table = lives.match(name)
    assert table.clocks.banks[seat] == 0
    assert table.guards[seat].counts == {Fault.DEADLINE: 1}


async def test_a_seat_that_was_left_stays_with_the_fallback_player(
    lives: Lives,
) -> None:
    name = lives.running().id
    table = lives.match(name)
    lives.lobby.leave(lives.table(name), 0)
    table.dismiss(1)
    lives.host.commit()
    lives.restart()
    table = lives.match(name)
    assert lives.table(name).presence == (Presence.LEFT, Presence.LEFT, Presence.HERE)
    assert [guard.kept_by_fallback for guard in table.guards] == [True, True, False]
    assert [guard.cause for guard in table.guards[:2]] == [
        Cause.FALLBACK,
        Cause.OPERATOR,
    ]
    play(table, lives.clock.now)
    bids = {
        entry.event.seat: entry.cause
        for entry in table.match.entries()
        if isinstance(entry.event, BidMade)
    }
    assert bids == {0: Cause.FALLBACK, 1: Cause.OPERATOR, 2: Cause.ANSWER}


async def test_tickets_tokens_and_seats_are_good_after_the_crash(lives: Lives) -> None:
    table, tickets = lives.open(house_bots=("greedy",))
    seat, token = lives.lobby.join(
        table, seat=1, name="Ada", ticket=tickets[1], bot=None
    )
    lives.host.commit()
    lives.restart()
    found = await lives.lobby.seat_of(token)
    assert found is not None
    assert (found[0].id, found[1]) == (table.id, seat)
    assert found[0].players == ("", "Ada", "greedy")
    assert (found[0].display_name, found[0].state) == ("Friday", LobbyState.OPEN)
    lives.lobby.join(found[0], seat=None, name="Bo", ticket=tickets[0], bot=None)
    assert found[0].state is LobbyState.RUNNING
    assert await lives.lobby.seat_of(token[:-1]) is None


async def test_house_bots_go_on_by_themselves(lives: Lives) -> None:
    table = lives.running(house_bots=("greedy", "lowest", "random"))
    lives.host.commit()
    lives.restart()
    match = lives.match(table.id)
    assert match.match.seq > 0
    over = asyncio.Event()
    match.audience.listen(
        lambda _seq: over.set() if match.outcome is not None else None
    )
    async with asyncio.timeout(PATIENCE_S):
        await over.wait()
    await asyncio.sleep(0)
    assert lives.table(table.id).state is LobbyState.FINISHED


async def test_an_ended_table_is_the_same_for_whoever_asks_later(lives: Lives) -> None:
    table, tickets = lives.open()
    token = lives.sit(table, tickets)[1]
    play(lives.match(table.id), lives.clock.now)
    await asyncio.sleep(0)
    lives.restart()
    assert lives.lobby.get(table.id) is None
    found = await lives.lobby.seat_of(token)
    assert found is not None
    after = found[0]
    assert (after.state, after.seq, after.number) == (
        LobbyState.FINISHED,
        table.seq,
        table.number,
    )
    assert after.table is not None
    assert table.table is not None
    assert after.table.state is State.FINISHED
    assert after.table.outcome == table.table.outcome
    assert record_text(after.table.match, after.players) == record_text(
        table.table.match, table.players
    )
    assert view(after.table.match, 1) == view(table.table.match, 1)


async def test_a_cancelled_table_can_be_looked_at_as_far_as_it_came(
    lives: Lives,
) -> None:
    running, unfilled = lives.running(), lives.open(seed=6)[0]
    play(lives.match(running.id), lives.clock.now, 6)
    lives.lobby.cancel(running)
    lives.lobby.cancel(unfilled)
    await asyncio.sleep(0)
    lives.host.commit()
    lives.restart()
    found = await lives.lobby.find(running.id)
    assert found is not None
    assert found.table is not None
    assert (found.state, found.table.state) == (
        LobbyState.CANCELLED,
        State.CANCELLED,
    )
    assert running.table is not None
    assert found.table.match.entries() == running.table.match.entries()
    never = await lives.lobby.find(unfilled.id)
    assert never is not None
    assert (never.state, never.table, never.seq) == (LobbyState.CANCELLED, None, 0)


async def test_lists_are_the_same_before_and_after(lives: Lives) -> None:
    running = lives.running().id
    done = lives.running(seed=6).id
    waiting = lives.open(seed=7)[0].id
    play(lives.match(done), lives.clock.now)
    await asyncio.sleep(0)
    lives.host.commit()

    async def listed(state: LobbyState | None = None) -> list[tuple[object, ...]]:
        page = await lives.lobby.newest_first(state, before=0, limit=10)
        return [(t.id, t.state, t.number, t.seq, tuple(t.scores)) for t in page]

    before = await listed()
    assert [entry[0] for entry in before] == [waiting, done, running]
    finished = await listed(LobbyState.FINISHED)
    lives.restart()
    assert await listed() == before
    assert await listed(LobbyState.FINISHED) == finished
    assert [entry[0] for entry in finished] == [done]


async def test_ended_tables_leave_memory(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.lobby.MAX_REMEMBERED", 2)
    names = []
    for seed in range(5):
        names.append(lives.running(seed=seed).id)
        play(lives.match(names[-1]), lives.clock.now)
        await asyncio.sleep(0)
    assert [lives.lobby.get(name) is None for name in names] == [True] * 3 + [False] * 2
    assert len(lives.lobby._tokens) == 2 * 3
    assert lives.host.tables == {}
    for name in names:
        found = await lives.lobby.find(name)
        assert found is not None
        assert found.table is not None
    assert len(lives.lobby._tables) == 2


async def test_the_log_forgets_what_only_ended_tables_need(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.ledger.FORGET_AFTER", 10)
    held = lives.running(seed=99).id
    for seed in range(4):
        table = lives.match(lives.running(seed=seed).id)
        while table.outcome is None:
            act(table, lives.clock.now)
            lives.host.commit()
        await asyncio.sleep(0)
        lives.host.commit()
        if seed == 1:
            assert len(list(lives.store.log.read())) > 100
            play(lives.match(held), lives.clock.now)
            await asyncio.sleep(0)
    assert len(list(lives.store.log.read())) < 20
    lives.restart()
    assert lives.host.tables == {}


async def test_only_what_ended_long_ago_leaves_the_store(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = lives.running(seed=99).id
    ended = [lives.running(seed=seed).id for seed in range(3)]
    for name in ended:
        play(lives.match(name), lives.clock.now)
        await asyncio.sleep(0)
    cancelled = lives.open(seed=98)[0]
    lives.lobby.cancel(cancelled)
    lives.host.commit()
    newest = lives.running(seed=97).id
    lives.host.commit()
    names = (running, *ended, cancelled.id, newest)

    def left(*, days_later: int) -> set[str]:
        def later() -> float:
            return time.time() + days_later * 86_400

        monkeypatch.setattr("server.retention.wall", later)
        retention = Retention(lives.lobby, days=7)
        # The newest chunk of the log stays, so that what is in it goes one later.
        for _ in range(3):
            retention.wake(lives.clock.now)
        assert audit(lives.store).findings == []
        return {name for name in names if lives.store.tables.by_name(name)}

    assert left(days_later=6) == set(names)
    # The log still has them, because of the one that began before.
    assert left(days_later=8) == set(names)
    play(lives.match(running), lives.clock.now)
    await asyncio.sleep(0)
    lives.host.commit()
    assert left(days_later=8) == {running, newest}
    lives.restart()
    assert await lives.lobby.find(ended[0]) is None
    play(lives.match(newest), lives.clock.now)


def _without_its_bot(lives: Lives, name: str) -> None:
    del lives.house_bots["greedy"]


def _with_other_entries(lives: Lives, name: str) -> None:
    number = lives.table(name).number
    lives.store.log.append(number, lives.match(name).match.log.encoded(1))
    lives.store.log.commit()


@pytest.mark.parametrize("spoil", [_without_its_bot, _with_other_entries])
async def test_a_table_that_cannot_be_taken_up_is_named_and_left_as_it_is(
    lives: Lives, spoil: Callable[[Lives, str], None]
) -> None:
    spoilt = lives.running(house_bots=("greedy",), seed=1).id
    fine = lives.running(seed=2).id
    lives.host.commit()
    spoil(lives, spoilt)
    lives.restart()
    assert lives.observer.left == [spoilt]
    assert lives.lobby.get(spoilt) is None
    assert await lives.lobby.find(spoilt) is None
    play(lives.match(fine), lives.clock.now)
    row = lives.store.tables.by_name(spoilt)
    assert row is not None
    assert row.state == "running"
