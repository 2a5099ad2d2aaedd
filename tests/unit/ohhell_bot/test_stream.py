"""A bot process against a service that follows a script."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
import trustme

import ohhell_bot.stream
from ohhell.v1 import frames_pb2, match_pb2
from ohhell_bot import Ask, Bot, JokerCall, Match, Play, Result, View, card_code
from ohhell_bot.errors import BotFault, GivenUp, Refused
from ohhell_bot.running import Connection
from ohhell_bot.settings import OnError, Settings
from tests.doubles.arena import (
    Closed,
    Frame,
    ScriptedArena,
    scripted_arena,
    seat,
)
from tests.doubles.patience import PATIENCE_S
from tests.doubles.positions import prompt


class First(Bot):
    """Takes what comes first."""

    def bid(self, view: View) -> int | Awaitable[int]:
        return view.legal_bids[0]

    def play(self, view: View) -> int | Play | Awaitable[int | Play]:
        return view.legal_cards[0]


@pytest.fixture
async def arena() -> AsyncIterator[ScriptedArena]:
    async with scripted_arena() as arena:
        yield arena


@asynccontextmanager
async def playing(
    arena: ScriptedArena,
    bot: type[Bot] = First,
    **settings: Any,  # noqa: ANN401  # passed on
) -> AsyncIterator[asyncio.Task[None]]:
    given = Settings(address=arena.address, **settings)
    task = asyncio.create_task(Connection(bot, given).keep())
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, BotFault, Refused, GivenUp):
            await task


def asked(
    ask: Ask = Ask.BID,
    *,
    handle: int = 1,
    seq: int = 7,
    **more: Any,  # noqa: ANN401  # passed on
) -> Frame:
    message = prompt(ask, hand="2C 3C", **more)
    message.handle = handle
    message.seq = seq
    return Frame(prompt=message)


async def test_hello_says_who_comes_and_the_token_travels_as_metadata(
    arena: ScriptedArena,
) -> None:
    who: dict[str, Any] = {
        "token": "a-token",
        "instance": "me",
        "lane": 3,
        "workers": 9,
    }
    async with playing(arena, **who):
        stream = await arena.stream()
        hello = await stream.welcome()
    assert stream.token == "Bearer a-token"  # noqa: S105  # made up
    assert (hello.instance_id, hello.lane, hello.workers) == ("me", 3, 9)
    assert (hello.min_revision, hello.revision) == (1, 1)


async def test_a_bot_trusts_the_certificates_that_it_is_given(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    credentials = grpc.ssl_server_credentials(
        [
            (
                certificate.private_key_pem.bytes(),
                b"".join(pem.bytes() for pem in certificate.cert_chain_pems),
            )
        ]
    )
    file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(file)
    async with (
        scripted_arena(credentials) as arena,
        playing(arena, tls=True, ca_file=file),
    ):
        assert (await (await arena.stream()).welcome()).revision == 1


async def test_an_answer_repeats_the_decision_and_carries_the_bid_zero(
    arena: ScriptedArena,
) -> None:
    async with playing(arena):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), asked(seq=41))
        answer = await stream.answer()
    assert (answer.handle, answer.seq, answer.attempt) == (1, 41, 1)
    assert answer.WhichOneof("action") == "bid"
    assert answer.bid == 0


async def test_answers_to_one_message_leave_in_one_message(
    arena: ScriptedArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However slow the machine is just now.
    monkeypatch.setattr(ohhell_bot.stream, "_HOLD_BACK_S", PATIENCE_S)
    async with playing(arena, workers=64):
        stream = await arena.stream()
        await stream.welcome()
        seats = [seat(handle, table=f"t{handle}") for handle in range(1, 33)]
        stream.say(*seats, *[asked(handle=handle) for handle in range(1, 33)])
        answers = [await stream.answer() for _ in range(32)]
    assert [answer.handle for answer in answers] == list(range(1, 33))
    # Hello, the answers, and perhaps already the goodbye.
    assert stream.messages[:2] == [1, 32]


async def test_a_hidden_card_is_played_without_asking_the_bot(
    arena: ScriptedArena,
) -> None:
    async with playing(arena):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), asked(Ask.PLAY, legal=""))
        answer = await stream.answer()
    assert answer.WhichOneof("action") == "card"
    assert answer.card == 0


class Joker(First):
    def play(self, view: View) -> int | Play:
        if view.deal == 1:
            return card_code("X1")
        return Play(card_code("X1"), JokerCall.HIGH)


async def test_a_joker_is_called_low_unless_the_bot_calls_it(
    arena: ScriptedArena,
) -> None:
    second = asked(Ask.PLAY, call=match_pb2.CALL_RULE_REQUIRED)
    second.prompt.deal = 2
    async with playing(arena, Joker):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), asked(Ask.PLAY, call=match_pb2.CALL_RULE_REQUIRED), second)
        calls = [int((await stream.answer()).call) for _ in range(2)]
    assert calls == [JokerCall.LOW, JokerCall.HIGH]


async def test_a_heartbeat_is_answered(arena: ScriptedArena) -> None:
    async with playing(arena):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(Frame(heartbeat=frames_pb2.Heartbeat(nonce=5)))
        assert (await stream.hear()).pong.nonce == 5


class Failing(First):
    def bid(self, view: View) -> int | Awaitable[int]:
        if view.handle == 1:
            raise RuntimeError("lost my cards")
        return 1

    def play(self, view: View) -> int:
        return None  # type: ignore[return-value]  # what a forgotten return does


async def test_a_bot_that_raises_answers_without_an_action_and_plays_on(
    arena: ScriptedArena, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "ohhell_bot"):
        async with playing(arena, Failing):
            stream = await arena.stream()
            await stream.welcome()
            stream.say(seat(1), seat(2, table="t2"), asked(), asked(handle=2))
            failed, good = await stream.answer(), await stream.answer()
    assert failed.WhichOneof("action") is None
    assert failed.note == "RuntimeError: lost my cards"
    assert good.bid == 1
    assert "hand 2C 3C" in caplog.text
    assert 'raise RuntimeError("lost my cards")' in caplog.text


async def test_an_answer_of_the_wrong_shape_is_named_without_a_traceback(
    arena: ScriptedArena, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "ohhell_bot"):
        async with playing(arena, Failing):
            stream = await arena.stream()
            await stream.welcome()
            stream.say(seat(1), asked(Ask.PLAY))
            answer = await stream.answer()
    assert answer.WhichOneof("action") is None
    assert "play returned None, which is not a card" in caplog.text
    assert "Traceback" not in caplog.text


class Unsayable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even that")


class Awkward(First):
    """Fails at the table that is named after the way."""

    def __init__(self) -> None:
        self.table = ""

    def match_start(self, match: Match) -> None:
        self.table = match.table

    def bid(self, view: View) -> int | Awaitable[int]:
        match self.table:
            case "unsayable":
                raise Unsayable
            case "no next":
                return next(iter(()))
            case "cancels":
                raise asyncio.CancelledError
            case "cancels later":
                return self._cancels()
            case "waits for a cancelled":
                cancelled = asyncio.get_running_loop().create_future()
                cancelled.cancel()
                return cancelled
            case "no call":
                return Play(card_code("X1"), 9)  # type: ignore[return-value]  # wrong
            case _:
                return 1

    async def _cancels(self) -> int:
        raise asyncio.CancelledError


WAYS = [
    ("unsayable", "Unsayable"),
    ("no next", "StopIteration"),
    ("cancels", "CancelledError"),
    ("cancels later", "CancelledError"),
    ("no call", "BadAnswer"),
]


@pytest.mark.parametrize(
    ("way", "note", "threads"),
    [
        *[(way, note, threads) for way, note in WAYS for threads in (0, 2)],
        ("waits for a cancelled", "CancelledError", 0),
    ],
)
async def test_in_whatever_way_a_bot_fails_its_table_hears_of_it_and_others_go_on(
    arena: ScriptedArena, way: str, note: str, threads: int
) -> None:
    async with playing(arena, Awkward, workers=2, threads=threads):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1, table=way), seat(2, table="t2"))
        stream.say(asked(), asked(handle=2))
        answers = {(a := await stream.answer()).handle: a for _ in range(2)}
    assert answers[1].WhichOneof("action") is None
    assert note in answers[1].note
    assert answers[2].bid == 1


async def test_a_bot_that_cannot_be_made_has_no_answers_and_others_go_on(
    arena: ScriptedArena,
) -> None:
    class Scarce(First):
        made = 0

        def __init__(self) -> None:
            Scarce.made += 1
            if Scarce.made == 1:
                raise MemoryError

    async with playing(arena, Scarce, workers=2):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), seat(2, table="t2"), asked(), asked(handle=2))
        failed, good = await stream.answer(), await stream.answer()
    assert failed.WhichOneof("action") is None
    assert failed.note == "BadAnswer: no bot could be made: MemoryError"
    assert good.WhichOneof("action") == "bid"


async def test_a_bot_may_ask_to_stop_at_its_first_error(arena: ScriptedArena) -> None:
    async with playing(arena, Failing, on_error=OnError.STOP) as task:
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), asked())
        with pytest.raises(BotFault, match="table t1 seat 0; decision 7"):
            async with asyncio.timeout(PATIENCE_S):
                await task


async def test_a_lost_stream_is_resumed_with_the_same_bot(arena: ScriptedArena) -> None:
    made: list[Counting] = []

    class Counting(First):
        def __init__(self) -> None:
            self.started: list[Match] = []
            made.append(self)

        def match_start(self, match: Match) -> None:
            self.started.append(match)

    async with playing(arena, Counting, instance="me"):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), asked())
        await stream.answer()
        stream.close(grpc.StatusCode.UNAVAILABLE)
        again = await arena.stream()
        hello = await again.welcome(resumed=True)
        again.say(seat(9), asked(handle=9))
        answer = await again.answer()
    assert (hello.resume_session_id, hello.instance_id) == ("s1", "me")
    assert answer.handle == 9
    assert [len(bot.started) for bot in made] == [1]


async def test_a_service_that_drains_is_left_and_found_again(
    arena: ScriptedArena,
) -> None:
    draining = frames_pb2.Notice(
        kind=frames_pb2.NOTICE_KIND_DRAINING, milliseconds=30_000
    )
    async with playing(arena):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), Frame(notice=draining), asked())
        assert (await stream.answer()).handle == 1
        stream.close(grpc.StatusCode.UNAVAILABLE)
        assert (await (await arena.stream()).welcome()).resume_session_id == "s1"


@pytest.mark.parametrize(
    "code", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.FAILED_PRECONDITION]
)
async def test_a_bot_that_is_not_wanted_does_not_try_again(
    arena: ScriptedArena, code: grpc.StatusCode
) -> None:
    async with playing(arena) as task:
        (await arena.stream()).close(code)
        with pytest.raises(Refused, match=f"{code.name} the test says so"):
            await task


async def test_a_process_that_was_replaced_ends(arena: ScriptedArena) -> None:
    superseded = frames_pb2.Notice(kind=frames_pb2.NOTICE_KIND_SUPERSEDED)
    async with playing(arena, instance="me") as task:
        stream = await arena.stream()
        await stream.welcome()
        stream.say(Frame(notice=superseded))
        stream.close(grpc.StatusCode.ABORTED)
        with pytest.raises(Refused, match=r"took over \(me\)"):
            await task


async def test_a_bot_gives_up_when_its_patience_is_over() -> None:
    async with scripted_arena() as arena:
        pass
    async with playing(arena, patience_s=0) as task:
        with pytest.raises(GivenUp, match="out of reach for 0 s"):
            await task


async def test_a_bot_that_is_stopped_says_goodbye(arena: ScriptedArena) -> None:
    async with playing(arena) as task:
        stream = await arena.stream()
        await stream.welcome()
        task.cancel()
        frame = await stream.hear()
        assert frame.goodbye.reason == "stopped"
        with pytest.raises(Closed):
            await stream.hear()


async def test_the_end_of_a_match_tells_the_scores_and_frees_the_seat(
    arena: ScriptedArena,
) -> None:
    results: list[Result] = []

    class Listening(First):
        def match_end(self, result: Result) -> None:
            results.append(result)

    ended = frames_pb2.SeatEnded(
        handle=1, reason=frames_pb2.END_REASON_PLAYED, scores=[3, -1, 0, 2], winners=[0]
    )
    async with playing(arena, Listening):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), Frame(ended=ended))
        stream.say(asked(), seat(1, table="t2"), asked(seq=8))
        assert (await stream.answer()).seq == 8
    assert [(r.match.table, r.scores, r.winners) for r in results] == [
        ("t1", (3, -1, 0, 2), (0,))
    ]


async def test_an_end_that_is_said_again_on_the_next_stream_is_told_once(
    arena: ScriptedArena,
) -> None:
    ended: list[str] = []
    started: list[str] = []

    class Listening(First):
        def match_start(self, match: Match) -> None:
            started.append(match.table)

        def match_end(self, result: Result) -> None:
            ended.append(result.match.table)

    over = Frame(
        ended=frames_pb2.SeatEnded(handle=1, reason=frames_pb2.END_REASON_PLAYED)
    )
    async with playing(arena, Listening):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), over, seat(2, table="t2"), asked(handle=2))
        await stream.answer()
        stream.close(grpc.StatusCode.UNAVAILABLE)
        again = await arena.stream()
        await again.welcome(resumed=True)
        # The end of the second was on its way; that of the first had come.
        other = Frame(
            ended=frames_pb2.SeatEnded(handle=2, reason=frames_pb2.END_REASON_CANCELLED)
        )
        again.say(seat(1), over, seat(2, table="t2"), other)
        again.say(seat(3, table="t3"), asked(handle=3))
        await again.answer()
    assert started == ["t1", "t2", "t3"]
    assert ended == ["t1", "t2"]


class Gated(First):
    """Thinks until its gate is opened."""

    gate = asyncio.Event()

    async def bid(self, view: View) -> int:
        if view.handle == 1:
            await self.gate.wait()
        return view.handle


async def test_an_async_bot_thinks_about_many_tables_at_once(
    arena: ScriptedArena,
) -> None:
    Gated.gate = asyncio.Event()
    async with playing(arena, Gated, workers=2):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), seat(2, table="t2"), asked(), asked(handle=2))
        assert (await stream.answer()).bid == 2
        Gated.gate.set()
        assert (await stream.answer()).bid == 1


async def test_what_was_withdrawn_is_not_answered(arena: ScriptedArena) -> None:
    Gated.gate = asyncio.Event()
    withdrawn = frames_pb2.Withdrawn(handle=1, seq=7, reason="AMENDED")
    async with playing(arena, Gated, workers=2):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), seat(2, table="t2"), asked())
        stream.say(Frame(withdrawn=withdrawn), asked(seq=8))
        stream.say(Frame(heartbeat=frames_pb2.Heartbeat(nonce=1)))
        await stream.hear()
        Gated.gate.set()
        assert (await stream.answer()).seq == 8


class Stubborn(First):
    """Gives its best answer so far where its thinking is cancelled."""

    async def bid(self, view: View) -> int:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return 1


async def test_who_answers_after_all_when_it_was_told_to_end_is_not_heard_twice(
    arena: ScriptedArena,
) -> None:
    withdrawn = frames_pb2.Withdrawn(handle=1, seq=7, reason="DEFAULTED")
    async with playing(arena, Stubborn):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), asked())
        stream.say(Frame(withdrawn=withdrawn))
        assert (await stream.answer()).WhichOneof("action") is None
        stream.say(Frame(heartbeat=frames_pb2.Heartbeat(nonce=2)))
        assert (await stream.hear()).pong.nonce == 2


async def test_thinking_ends_at_expiry_and_the_table_is_told(
    arena: ScriptedArena,
) -> None:
    Gated.gate = asyncio.Event()
    withdrawn = frames_pb2.Withdrawn(handle=1, seq=7, reason="DEFAULTED")
    async with playing(arena, Gated):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), asked())
        stream.say(Frame(withdrawn=withdrawn))
        late = await stream.answer()
    assert (late.handle, late.seq, late.WhichOneof("action")) == (1, 7, None)


class Wordy(First):
    """Fails at length, everywhere at once when its gate is opened."""

    gate = asyncio.Event()
    ended = asyncio.Event()
    thoughts = asyncio.Semaphore(0)

    async def bid(self, _view: View) -> int:
        self.thoughts.release()
        await self.gate.wait()
        self.thoughts.release()
        raise ValueError("word " * 60)

    def match_end(self, _result: Result) -> None:
        self.ended.set()


async def test_what_is_withdrawn_while_it_is_written_does_not_end_the_stream(
    arena: ScriptedArena,
) -> None:
    Wordy.gate, Wordy.ended = asyncio.Event(), asyncio.Event()
    Wordy.thoughts = asyncio.Semaphore(0)
    # More than gRPC sends ahead to somebody who does not read.
    asked_for = range(1, 2001)
    async with playing(arena, Wordy):
        stream = await arena.stream()
        await stream.welcome()
        stream.reads.clear()
        stream.say(seat(1))
        for start in asked_for[::100]:
            stream.say(*[asked(seq=seq) for seq in range(start, start + 100)])
        async with asyncio.timeout(PATIENCE_S):
            for _ in asked_for:
                await Wordy.thoughts.acquire()
            Wordy.gate.set()
            for _ in asked_for:
                await Wordy.thoughts.acquire()
            for seq in asked_for:
                gone = frames_pb2.Withdrawn(handle=1, seq=seq, reason="CANCELLED")
                stream.say(Frame(withdrawn=gone))
            stream.say(Frame(ended=frames_pb2.SeatEnded(handle=1)))
            await Wordy.ended.wait()
        stream.reads.set()
        answers = [(await stream.answer()).seq for _ in asked_for]
        assert sorted(answers) == list(asked_for)
        stream.say(Frame(heartbeat=frames_pb2.Heartbeat(nonce=5)))
        assert (await stream.hear()).pong.nonce == 5


class Meeting(First):
    """Answers only when two of its decisions are being made at the same time."""

    both = threading.Barrier(2, timeout=PATIENCE_S)

    def bid(self, view: View) -> int:
        self.both.wait()
        return view.handle


async def test_threads_think_about_as_many_tables_as_there_are_threads(
    arena: ScriptedArena,
) -> None:
    async with playing(arena, Meeting, workers=2, threads=2):
        stream = await arena.stream()
        await stream.welcome()
        stream.say(seat(1), seat(2, table="t2"), asked(), asked(handle=2))
        bids = {(await stream.answer()).bid for _ in range(2)}
    assert bids == {1, 2}
