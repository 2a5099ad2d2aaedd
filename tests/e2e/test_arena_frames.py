"""ArenaService over real gRPC, frame by frame."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import grpc
import pytest

from bots.local import LOCAL_FACTORIES
from engine.events import Cause
from ohhell.v1 import arena_pb2, frames_pb2, match_pb2
from server.clock import NO_CLOCK, TimeControl
from server.host import Host
from server.metrics import Metrics
from server.outcome import End
from server.players.port import Player
from server.rpc.serving import GameListener
from server.table import Table
from tests.doubles.frames import FrameClient, answer, frame_client
from tests.doubles.patience import PATIENCE_S
from tests.doubles.tables import SEATS, setup


@dataclass
class Arena:
    """A served host with one registered bot, and the tables that ended."""

    host: Host
    port: int
    token: str
    metrics: Metrics
    ended: list[Table] = field(default_factory=list)
    _tables: int = 0
    _one_more: asyncio.Event = field(default_factory=asyncio.Event)

    def open_table(
        self,
        *,
        seat: int = 0,
        clock: TimeControl = NO_CLOCK,
        preset: str = "pagat_standard",
        overrides: dict[str, object] | None = None,
    ) -> Table:
        """The bot at one seat, house bots at the others; seat 0 bids first."""
        self._tables += 1
        players: list[Player] = [self.host.house_player("lowest") for _ in range(SEATS)]
        players[seat] = self.host.player("bot")
        return self.host.open_table(
            setup(preset, table=f"t{self._tables}", clock=clock, overrides=overrides),
            players,
            self._note_end,
        )

    def _note_end(self, table: Table) -> None:
        self.ended.append(table)
        self._one_more.set()

    async def until_ended(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while len(self.ended) < count:
                self._one_more.clear()
                await self._one_more.wait()


@pytest.fixture
async def arena() -> AsyncIterator[Arena]:
    metrics = Metrics()
    host = Host(house_bots=LOCAL_FACTORIES, observers=[metrics])
    metrics.watch(host)
    host.start()
    listener = GameListener(host, metrics, address="127.0.0.1", port=0)
    await listener.start()
    yield Arena(host, listener.port, host.bots.register("bot"), metrics)
    host.close()
    await listener.stop(0)


@pytest.fixture
async def client(arena: Arena) -> AsyncIterator[FrameClient]:
    async with frame_client(arena.port, arena.token) as connected:
        yield connected


async def test_a_bot_plays_whole_matches_at_many_tables_on_one_stream(
    arena: Arena, client: FrameClient
) -> None:
    welcome = await client.hello(workers=64)
    assert (welcome.bot, welcome.workers, welcome.resumed) == ("bot", 64, False)
    await arena.host.ready("bot")
    for _ in range(20):
        arena.open_table()
    ended = 0
    while ended < 20:
        frame = await client.play(lambda frame: frame.HasField("ended"))
        assert frame.ended.reason == frames_pb2.END_REASON_PLAYED
        ended += 1
    await arena.until_ended(20)
    for table in arena.ended:
        assert table.outcome is not None
        assert table.outcome.faults == ({},) * SEATS


async def test_a_seat_comes_with_all_that_does_not_change(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello()
    await arena.host.ready("bot")
    arena.open_table()
    arena.open_table(seat=2)
    first, second = [(await client.next("seat")).seat for _ in range(2)]
    assert (first.table, first.seat, second.table, second.seat) == ("t1", 0, "t2", 2)
    assert first.rules.hash == first.rules_hash == second.rules_hash
    assert not second.HasField("rules")
    assert len(first.bot_seed) == 16
    assert list(first.players) == ["anna", "ben", "cleo", "dirk"]


async def test_a_hooked_last_bid_is_refused_and_corrected_in_the_same_decision(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello()
    await arena.host.ready("bot")
    table = arena.open_table(seat=3)
    prompt = await client.prompt()
    hooked = (set(range(prompt.size + 1)) - set(prompt.legal_bids)).pop()
    assert sum(prompt.bids) + hooked == prompt.size
    await client.send(answer(prompt, bid=hooked))
    result = (await client.next("result")).result
    assert (result.accepted, result.reason) == (False, "BID_HOOKED")
    assert list(result.legal_bids) == list(prompt.legal_bids)
    again = await client.prompt()
    assert (again.seq, again.attempt) == (prompt.seq, 2)
    await client.send(answer(again))
    await client.prompt()
    assert table.match.entry(prompt.seq + 1).cause is Cause.ANSWER
    assert table.guards[3].as_counts() == {"ILLEGAL": 1}


async def test_after_two_illegal_answers_the_fallback_player_has_bid(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello()
    await arena.host.ready("bot")
    table = arena.open_table()
    prompt = await client.prompt()
    await client.send(answer(prompt, card=5))
    await client.send(answer(await client.prompt(), bid=400))
    withdrawn = (await client.next("withdrawn")).withdrawn
    assert (withdrawn.seq, withdrawn.reason) == (prompt.seq, "DEFAULTED")
    assert table.match.entry(prompt.seq + 1).cause is Cause.FALLBACK


async def test_a_late_answer_is_told_that_the_fallback_player_acted(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello()
    await arena.host.ready("bot")
    arena.open_table(clock=TimeControl(per_decision_ms=20))
    prompt = await client.prompt()
    await client.next("withdrawn")
    await client.send(answer(prompt))
    result = (await client.next("result")).result
    assert (result.accepted, result.reason) == (False, "DECISION_DEFAULTED")
    assert (await client.prompt()).seq > prompt.seq


async def test_a_question_without_an_answer_holds_up_no_other_table(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello(workers=2)
    await arena.host.ready("bot")
    hanging, other = arena.open_table(), arena.open_table()
    prompts = [await client.prompt(), await client.prompt()]
    await client.send(answer(prompts[1]))
    handle = prompts[1].handle

    def is_over(frame: frames_pb2.ServerFrame) -> bool:
        return frame.HasField("ended") and frame.ended.handle == handle

    await client.play(is_over)
    await arena.until_ended(1)
    assert arena.ended == [other]
    assert hanging.outcome is None
    assert hanging.match.seq == prompts[0].seq


async def test_questions_beyond_the_workers_stay_in_the_server(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello(workers=1)
    await arena.host.ready("bot")
    tables = [arena.open_table() for _ in range(3)]
    await client.prompt()
    opened = [table.open[0] for table in tables]
    assert [question.handed_at > 0 for question in opened if question] == [
        True,
        False,
        False,
    ]


async def test_the_end_of_a_stream_is_not_the_end_of_a_seat(arena: Arena) -> None:
    async with frame_client(arena.port, arena.token) as first:
        await first.hello(instance_id="one")
        await arena.host.ready("bot")
        table = arena.open_table()
        prompt = await first.prompt()
        await first.call.done_writing()
        assert await first.status() == (grpc.StatusCode.OK, "")
    async with frame_client(arena.port, arena.token) as second:
        assert (await second.hello(instance_id="one")).resumed
        seat = (await second.next("seat")).seat
        assert (seat.table, seat.handle) == ("t1", prompt.handle)
        again = await second.prompt()
        assert (again.seq, again.attempt) == (prompt.seq, prompt.attempt)
        await second.send(answer(again))
        await second.play(lambda frame: frame.HasField("ended"))
    await arena.until_ended(1)
    assert table.outcome is not None
    assert table.outcome.faults == ({},) * SEATS


async def test_the_newest_stream_of_a_process_takes_over_at_once(arena: Arena) -> None:
    async with (
        frame_client(arena.port, arena.token) as old,
        frame_client(arena.port, arena.token) as new,
    ):
        await old.hello(instance_id="one")
        await arena.host.ready("bot")
        arena.open_table()
        prompt = await old.prompt()
        await new.hello(instance_id="one")
        notice = (await old.next("notice")).notice
        assert notice.kind == frames_pb2.NOTICE_KIND_SUPERSEDED
        code, _ = await old.status()
        assert code is grpc.StatusCode.ABORTED
        again = await new.prompt()
        assert again.seq == prompt.seq
        # The end of the old one is none of the new one.
        await new.send(answer(again))
        assert (await new.prompt()).seq > again.seq


async def test_only_leave_gives_up_a_seat(arena: Arena, client: FrameClient) -> None:
    await client.hello()
    await arena.host.ready("bot")
    arena.open_table()
    prompt = await client.prompt()
    leave = frames_pb2.Leave(handle=prompt.handle)
    await client.send(frames_pb2.ClientFrame(leave=leave))
    ended = (await client.next("ended")).ended
    await arena.until_ended(1)
    outcome = arena.ended[0].outcome
    assert outcome is not None
    assert (outcome.why, outcome.faults[0]) == (End.PLAYED, {"LEFT": 1})
    assert ended.handle == prompt.handle


async def test_the_same_answer_twice_is_told_to_be_a_duplicate(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello()
    await arena.host.ready("bot")
    arena.open_table()
    prompt = await client.prompt()
    await client.send(answer(prompt), answer(prompt))
    result = (await client.next("result")).result
    assert (result.accepted, result.duplicate) == (True, True)
    assert result.entry == prompt.seq + 1


async def test_who_asks_for_results_gets_one_for_every_answer(
    arena: Arena, client: FrameClient
) -> None:
    welcome = await client.hello(capabilities=["results", "telepathy"])
    assert list(welcome.capabilities) == ["results"]
    await arena.host.ready("bot")
    arena.open_table()
    prompt = await client.prompt()
    await client.send(answer(prompt))
    result = (await client.next("result")).result
    assert (result.accepted, result.entry) == (True, prompt.seq + 1)


async def test_entries_come_without_gaps_and_never_before_their_question(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello(entries=True)
    await arena.host.ready("bot")
    arena.open_table()
    last = 0
    while True:
        frame = await client.next("prompt", "entries", "ended")
        if frame.HasField("ended"):
            break
        if frame.HasField("entries"):
            for entry in frame.entries.entries:
                assert entry.seq == last + 1
                assert entry.cause == match_pb2.CAUSE_UNSPECIFIED
                last = entry.seq
        else:
            assert frame.prompt.seq == last
            await client.send(answer(frame.prompt))
    await arena.until_ended(1)
    assert last == arena.ended[0].match.seq


async def test_another_seat_s_cards_are_blank_in_entries(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello(entries=True)
    await arena.host.ready("bot")
    arena.open_table()
    frame = await client.next("entries")
    dealt = frame.entries.entries[0].dealt
    assert list(dealt.counts)[1:] == [0, 0, 0]
    assert len(dealt.cards) == dealt.size


async def test_bad_frames_are_noticed_and_the_fifth_ends_the_stream(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello()
    for _ in range(4):
        await client.send(frames_pb2.ClientFrame())
        notice = (await client.next("notice")).notice
        assert notice.kind == frames_pb2.NOTICE_KIND_PROTOCOL
        assert notice.reason == "UNKNOWN_FRAME"
    await client.send(*[frames_pb2.ClientFrame()] * 129)
    code, _ = await client.status()
    assert code is grpc.StatusCode.INVALID_ARGUMENT


async def test_bytes_that_are_no_message_do_not_end_a_stream(arena: Arena) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{arena.port}") as channel:
        call = channel.stream_stream(
            "/ohhell.v1.ArenaService/Connect",
            request_serializer=_as_it_is,
            response_deserializer=arena_pb2.ConnectResponse.FromString,
        )(metadata=(("authorization", f"Bearer {arena.token}"),))
        hello = frames_pb2.ClientFrame(hello=frames_pb2.Hello(revision=1))
        message = arena_pb2.ConnectRequest(frames=[hello])
        await call.write(message.SerializeToString())
        await call.read()
        await call.write(b"\xff\xff\xff")
        response = await call.read()
        assert isinstance(response, arena_pb2.ConnectResponse)
        assert response.frames[0].notice.reason == "MALFORMED_MESSAGE"
        call.cancel()


def _as_it_is(data: bytes) -> bytes:
    return data


async def test_a_flood_of_frames_that_answer_nothing_ends_the_stream(
    arena: Arena, client: FrameClient
) -> None:
    await client.hello()
    stray = frames_pb2.ClientFrame(answer=frames_pb2.Answer(handle=77, bid=1))
    await client.send(*[stray] * 101)
    code, _ = await client.status()
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"revision": 9, "min_revision": 2}, grpc.StatusCode.FAILED_PRECONDITION),
        ({"workers": 5000}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"lane": 400}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"instance_id": "with space"}, grpc.StatusCode.INVALID_ARGUMENT),
        (None, grpc.StatusCode.INVALID_ARGUMENT),
    ],
)
async def test_a_stream_begins_with_a_hello_that_can_be_kept(
    arena: Arena,
    client: FrameClient,
    hello: dict[str, object] | None,
    code: grpc.StatusCode,
) -> None:
    if hello is None:
        await client.send(frames_pb2.ClientFrame(pong=frames_pb2.Pong()))
    else:
        frame = frames_pb2.Hello(**hello)  # type: ignore[arg-type]  # as parametrised
        await client.send(frames_pb2.ClientFrame(hello=frame))
    assert (await client.status())[0] is code


@pytest.mark.parametrize("token", ["", "ohb_wrong", "x" * 600])
async def test_nobody_gets_in_without_a_valid_token(arena: Arena, token: str) -> None:
    async with frame_client(arena.port, token) as stranger:
        assert (await stranger.status())[0] is grpc.StatusCode.UNAUTHENTICATED


async def test_a_token_of_one_lane_opens_no_other(arena: Arena) -> None:
    token = arena.host.bots.issue("bot", 1)
    for lane in (0, 2):
        hello = frames_pb2.Hello(revision=1, min_revision=1, lane=lane)
        async with frame_client(arena.port, token) as liar:
            await liar.send(frames_pb2.ClientFrame(hello=hello))
            code, details = await liar.status()
        assert code is grpc.StatusCode.PERMISSION_DENIED
        assert details == (
            f"the token is for lane 1 of bot 'bot', the hello says lane {lane}"
        )
    async with frame_client(arena.port, token) as honest:
        await honest.hello(lane=1)
        await arena.host.ready("bot", 1)


async def test_a_draining_service_admits_nobody_new(arena: Arena) -> None:
    arena.host.drain()
    async with frame_client(arena.port, arena.token) as late:
        assert (await late.status())[0] is grpc.StatusCode.UNAVAILABLE


async def test_what_happened_is_counted(arena: Arena, client: FrameClient) -> None:
    await client.hello()
    await arena.host.ready("bot")
    arena.open_table()
    prompt = await client.prompt()
    await client.send(answer(prompt, bid=99))
    await client.send(answer(await client.prompt()))
    await client.prompt()
    text = arena.metrics.text().decode()
    for line in (
        'ohhell_decisions_total{kind="bid",link="dial_in",outcome="illegal"} 1.0',
        'ohhell_decisions_total{kind="bid",link="dial_in",outcome="ok"} 1.0',
        'ohhell_faults_total{fault="ILLEGAL"} 1.0',
        'ohhell_tables{state="running"} 1.0',
        'ohhell_rejections_total{reason="BID_OUT_OF_RANGE"} 1.0',
        "ohhell_stream_active 1.0",
        "ohhell_outbound_queue_frames 0.0",
        "ohhell_drain_state 0.0",
        "ohhell_decision_queue_seconds_count 0.0",
        "ohhell_clock_stopped_seconds_total 0.0",
        'ohhell_slow_consumers_total{viewer="watcher"} 0.0',
        'grpc_server_streams_active{grpc_method="Connect",'
        'grpc_service="ohhell.v1.ArenaService",grpc_type="bidi_stream"} 1.0',
    ):
        assert line in text


async def test_who_is_not_let_in_is_counted_by_reason(arena: Arena) -> None:
    for token in ("", "wrong"):
        async with frame_client(arena.port, token) as stranger:
            await stranger.status()
    text = arena.metrics.text().decode()
    assert 'ohhell_auth_failures_total{reason="TOKEN_INVALID"} 2.0' in text
    assert 'ohhell_rejections_total{reason="TOKEN_INVALID"} 2.0' in text
