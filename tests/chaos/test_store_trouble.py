"""A store that cannot be written: nothing is accepted, nobody is charged, and then it
goes on as if nothing had happened.

Each kind of trouble is the real thing: a limit on the size of files set on the running
server, a lock held by another process, rows that another process writes.
"""

from __future__ import annotations

import http.client
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from grpc_status import rpc_status

from ohhell.v1 import frames_pb2, match_pb2, rules_pb2, tables_pb2, tables_pb2_grpc
from server.registry import BotRegistry
from server.store import Store
from tests.doubles.patience import PATIENCE_S
from tests.doubles.restarting import ROOT, Server


@contextmanager
def full_disk(server: Server, store: Path) -> Iterator[str]:
    """No file of the server may grow."""
    files = [store, store.with_name(f"{store.name}-wal")]
    pid = server.pid
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    smallest = min(file.stat().st_size for file in files)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (smallest, before[1]))
    try:
        yield "disk full or failing"
    finally:
        with suppress(ProcessLookupError):  # where the test has killed it
            resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def locked(_server: Server, store: Path) -> Iterator[str]:
    """Another process, this one, writes and does not come to an end."""
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield "it is locked by another process"
    finally:
        connection.execute("ROLLBACK")
        connection.close()


@contextmanager
def written_by_others(_server: Server, store: Path) -> Iterator[str]:
    """The place of the next chunks is taken."""
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute(
        "INSERT INTO log_chunks SELECT max(id) + 1, 0, 0, x'' FROM log_chunks"
    )
    try:
        yield "what is stored is damaged"
    finally:
        connection.execute("DELETE FROM log_chunks WHERE items = 0 AND body = x''")
        connection.close()


Trouble = Callable[[Server, Path], AbstractContextManager[str]]
KINDS = [full_disk, locked, written_by_others]


class Person:
    """Plays the first thing that is legal, call by call."""

    def __init__(self, server: Server) -> None:
        self._channel = grpc.insecure_channel(
            server.address,
            options=[
                ("grpc.initial_reconnect_backoff_ms", 100),
                ("grpc.max_reconnect_backoff_ms", 300),
            ],
        )
        self.tables = tables_pb2_grpc.TableServiceStub(self._channel)
        self.table = ""
        self._metadata: tuple[tuple[str, str], ...] = ()

    def close(self) -> None:
        self._channel.close()

    def open(self, bot_token: str) -> None:
        """A table under a clock, with a bot process, a house bot and this person."""
        opened = self.tables.CreateTable(
            tables_pb2.CreateTableRequest(
                rules=rules_pb2.RulesSpec(preset="simple_down_up"),
                players=3,
                house_bots=["greedy"],
                clock=frames_pb2.TimeControl(per_decision_ms=2_000, bank_ms=20_000),
                seed=3,
            )
        )
        self.table = opened.table.table
        request = tables_pb2.JoinTableRequest(table=self.table, seat=0)
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.tables.JoinTable(
                    request, metadata=(("authorization", f"Bearer {bot_token}"),)
                )
                break
            except grpc.RpcError:  # until the bot has dialled in
                assert time.monotonic() < until
                time.sleep(0.05)
        joined = self.tables.JoinTable(tables_pb2.JoinTableRequest(table=self.table))
        self._metadata = (("authorization", f"Bearer {joined.seat_token}"),)

    def look(self, wait_ms: int = 5_000) -> match_pb2.View:
        wanted = tables_pb2.GetViewRequest(table=self.table, seat=1, wait_ms=wait_ms)
        return self.tables.GetView(wanted, metadata=self._metadata).view

    def act(self, seen: match_pb2.View) -> bool:
        """Whether it was a repetition."""
        decision = match_pb2.Decision(seq=seen.seq, seat=1)
        if seen.ask == match_pb2.ASK_BID:
            bid = tables_pb2.PlaceBidRequest(
                table=self.table, decision=decision, bid=seen.legal_bids[0]
            )
            return self.tables.PlaceBid(bid, metadata=self._metadata).duplicate
        play = tables_pb2.PlayCardRequest(
            table=self.table, decision=decision, card=seen.legal_cards[0]
        )
        return self.tables.PlayCard(play, metadata=self._metadata).duplicate

    def turn(self) -> match_pb2.View:
        """Waits for a question; also for a server that comes back."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            try:
                seen = self.look()
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                time.sleep(0.05)
                continue
            if seen.ask or seen.phase == match_pb2.PHASE_OVER:
                return seen
        raise AssertionError("it is never this person's turn")

    def play_on(self) -> tables_pb2.GetRecordResponse:
        """To the end of the match."""
        while (seen := self.turn()).phase != match_pb2.PHASE_OVER:
            self.act(seen)
        return self.tables.GetRecord(
            tables_pb2.GetRecordRequest(table=self.table), metadata=self._metadata
        )

    def ended(self) -> frames_pb2.SeatEnded:
        """How the match ended, as a watcher is told."""
        watch = self.tables.WatchTable(
            tables_pb2.WatchTableRequest(table=self.table, seat=1),
            metadata=self._metadata,
        )
        *_, last = watch
        return last.ended


def refusal(call: Callable[[], object]) -> str:
    """What is said where nothing can be stored."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    status = rpc_status.from_call(caught.value)  # type: ignore[arg-type]  # an error is a call as well
    assert status is not None
    assert status.code == grpc.StatusCode.UNAVAILABLE.value[0], status
    info, retry = ErrorInfo(), RetryInfo()
    assert status.details[0].Unpack(info)
    assert info.reason == "STORE_UNAVAILABLE"
    assert status.details[1].Unpack(retry)
    return str(status.message)


def is_ready(server: Server) -> bool:
    port = int(server.metrics.removesuffix("/metrics").rpartition(":")[2])
    probe = http.client.HTTPConnection("127.0.0.1", port)
    probe.request("GET", "/readyz")
    status = probe.getresponse().status
    probe.close()
    return status == http.HTTPStatus.OK


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def playing(store: Path, tmp_path: Path) -> Iterator[tuple[Server, Person]]:
    """A server, a bot process and a person in the middle of a match."""
    with Store(store) as opened:
        token = BotRegistry(opened.bots).register("anna")
    server = Server(str(store), tmp_path, flags=("--log-level", "warning"))
    server.start()
    person = Person(server)
    bot = subprocess.Popen(
        [sys.executable, "-m", "bots", "lowest"],
        cwd=ROOT,
        env={"OHHELL_BOT_ADDRESS": server.address, "OHHELL_BOT_TOKEN": token},
        stderr=subprocess.DEVNULL,
    )
    try:
        person.open(token)
        for _ in range(5):
            person.act(person.turn())
        yield server, person
    finally:
        bot.kill()
        bot.wait()
        person.close()
        server.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_accepted_in_trouble_and_everything_goes_on_after_it(
    playing: tuple[Server, Person], store: Path, kind: Trouble
) -> None:
    server, person = playing
    seen = person.turn()
    with kind(server, store) as why:
        assert why in refusal(lambda: person.act(seen))
        for call in (lambda: person.act(seen), person.look, person.ended):
            refusal(call)
        opening = tables_pb2.CreateTableRequest(
            rules=rules_pb2.RulesSpec(preset="simple_down_up"), players=3
        )
        refusal(lambda: person.tables.CreateTable(opening))
        assert not is_ready(server)
        # Longer than the limit of a decision: nobody's clock runs.
        time.sleep(3.0)
        refusal(lambda: person.act(seen))
    assert person.turn()
    # The first try was applied, and has been stored now: repeated, it is acknowledged.
    assert person.act(seen)
    record = person.play_on()
    assert '"cause":"FALLBACK"' not in record.text
    assert is_ready(server)
    listed = person.tables.ListTables(tables_pb2.ListTablesRequest()).tables
    assert [table.table for table in listed] == [person.table]
    assert "store failed" in server.errors()
    assert "store recovered" in server.errors()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_was_not_stored_has_not_happened_after_a_kill(
    playing: tuple[Server, Person], store: Path, kind: Trouble
) -> None:
    server, person = playing
    seen = person.turn()
    with kind(server, store):
        refusal(lambda: person.act(seen))
        server.end()
    server.start()
    again = person.turn()
    assert (again.seq, again.ask, again.hand) == (seen.seq, seen.ask, seen.hand)
    assert not person.act(again)
    record = person.play_on()
    assert '"cause":"FALLBACK"' not in record.text


@pytest.mark.slow
def test_a_damaged_log_is_refused_by_name_at_the_start(
    playing: tuple[Server, Person], store: Path
) -> None:
    server, person = playing
    person.turn()
    server.end()
    connection = sqlite3.connect(store)
    connection.execute(
        "UPDATE log_chunks SET body = CAST(substr(body, 1, 9) || x'ff'"
        " || substr(body, 11) AS BLOB) WHERE id = (SELECT max(id) - 1 FROM log_chunks)"
    )
    connection.commit()
    connection.close()
    with pytest.raises(AssertionError, match=r"chunk \d+ of the event log is damaged"):
        server.start()
