"""Enum numbers, frames and fields that this revision does not know."""

from __future__ import annotations

from pathlib import Path

import grpc

from ohhell.v1 import arena_pb2, frames_pb2, match_pb2, tables_pb2
from tests.doubles.frames import FrameClient, answer, frame_client
from tests.doubles.serving import (
    Metadata,
    person_at,
    refused,
    registered,
    seat_bot,
    serving,
    someone,
)

# Field 900, which nobody has defined, with a text; as a frame it has no body.
UNKNOWN = b"\xa2\x38\x05hello"


def as_it_is(data: bytes) -> bytes:
    return data


def bytes_of(message: arena_pb2.ConnectRequest | bytes) -> bytes:
    return message if isinstance(message, bytes) else message.SerializeToString()


def raw(channel: grpc.aio.Channel, method: str, token: Metadata, data: bytes) -> object:
    call = channel.unary_unary(
        f"/ohhell.v1.TableService/{method}",
        request_serializer=as_it_is,
        response_deserializer=as_it_is,
    )
    return call(data, metadata=token)


async def test_an_undefined_enum_number_is_named_and_an_unknown_field_is_ignored(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with (
            person_at(service.game) as tables,
            grpc.aio.insecure_channel(service.game) as channel,
        ):
            anna = await someone(tables, seed=7)
            while (view := await anna.turn()).ask != match_pb2.ASK_PLAY:
                await anna.act(view)
            play = tables_pb2.PlayCardRequest(
                table=anna.table, decision=match_pb2.Decision(seq=view.seq)
            )
            play.card = 99  # type: ignore[assignment]  # that is the point
            refusal = await refused(tables.PlayCard(play, metadata=anna.token))
            assert (refusal.code, refusal.reason) == (
                grpc.StatusCode.INVALID_ARGUMENT,
                "FIELD_INVALID",
            )
            play.card = view.legal_cards[0]
            play.call = 77  # type: ignore[assignment]  # that is the point
            refusal = await refused(tables.PlayCard(play, metadata=anna.token))
            assert refusal.reason == "FIELD_INVALID"
            assert (await anna.view()).seq == view.seq
            play.ClearField("call")
            newer = play.SerializeToString() + UNKNOWN
            answered = await raw(channel, "PlayCard", anna.token, newer)  # type: ignore[misc]  # a call
            assert b"hello" not in answered
            response = tables_pb2.PlayCardResponse.FromString(answered)
            assert response.entry == view.seq + 1


async def test_requests_of_a_later_revision_are_counted_and_odd_ones_are_not(
    tmp_path: Path,
) -> None:
    token = registered(tmp_path, "ada")["ada"]
    with serving(tmp_path) as service:
        async with (
            grpc.aio.insecure_channel(service.game) as channel,
            frame_client(service.game, token) as bot,
        ):
            # A field twice, and a number in more bytes than it needs: legal, and odd.
            for odd in (b"\x08\x01\x08\x02", b"\x08\x82\x00"):
                await raw(channel, "ListTables", (), odd)  # type: ignore[misc]  # a call
            nested = b"\x0a" + bytes([len(UNKNOWN)]) + UNKNOWN
            for newer in (UNKNOWN, b"\x08\x01" + UNKNOWN):
                await raw(channel, "ListTables", (), newer)  # type: ignore[misc]  # a call
            await refused(raw(channel, "CreateTable", (), nested))
            await bot.hello()
            _, text = service.http("/metrics")
    counted = {
        line.partition('grpc_method="')[2].partition('"')[0]: line.rpartition(" ")[2]
        for line in text.splitlines()
        if line.startswith("ohhell_unknown_fields_total{")
        and 'grpc_type="unknown"' not in line
    }
    assert counted == {"ListTables": "2.0", "CreateTable": "1.0", "Connect": "0.0"}


async def send_as_it_is(client: FrameClient, *frames: bytes) -> None:
    """Frames that no library would write, in one message."""
    request = arena_pb2.ConnectRequest()
    for frame in frames:
        # Parsing keeps what it does not know, and the last of several bodies.
        request.frames.add().MergeFromString(frame)
    await client.call.write(request)


async def test_frames_of_a_later_revision_are_ignored_named_and_at_last_too_many(
    tmp_path: Path,
) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, token) as anna,
        ):
            await anna.hello(capabilities=["results"])
            await seat_bot(tables, token)
            prompt = await anna.prompt()
            # An answer beside something that is not known is an answer.
            known = answer(prompt).SerializeToString()
            await send_as_it_is(anna, known + UNKNOWN)
            assert (await anna.next("result")).result.accepted
            prompt = await anna.prompt()
            for count in range(1, 6):
                await send_as_it_is(anna, UNKNOWN)
                notice = (await anna.next("notice")).notice
                assert notice.kind == frames_pb2.NOTICE_KIND_PROTOCOL
                assert notice.reason == "UNKNOWN_FRAME"
                assert "hello" not in notice.message
                if count == 4:
                    # Four are forgiven: the match goes on.
                    await anna.send(answer(prompt))
                    assert (await anna.next("result")).result.accepted
            code, _ = await anna.status()
            assert code is grpc.StatusCode.INVALID_ARGUMENT


async def test_an_answer_with_undefined_numbers_is_refused_and_may_be_corrected(
    tmp_path: Path,
) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, token) as anna,
        ):
            await anna.hello(capabilities=["results"])
            await seat_bot(tables, token)
            while (prompt := await anna.prompt()).ask != match_pb2.ASK_PLAY:
                await anna.send(answer(prompt))
                assert (await anna.next("result")).result.accepted
            await anna.send(answer(prompt, card=99))
            result = (await anna.next("result")).result
            assert (result.accepted, result.seq) == (False, prompt.seq)
            prompt = await anna.prompt()
            assert prompt.attempt == 2
            await anna.send(answer(prompt))
            assert (await anna.next("result")).result.accepted


async def test_of_two_bodies_in_a_frame_the_last_counts(tmp_path: Path) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path) as service:
        async with (
            person_at(service.game) as tables,
            frame_client(service.game, token) as anna,
        ):
            anna.call.cancel()
            call = anna.channel.stream_stream(
                "/ohhell.v1.ArenaService/Connect",
                request_serializer=bytes_of,
                response_deserializer=arena_pb2.ConnectResponse.FromString,
            )(metadata=anna.metadata)
            anna.call = call  # type: ignore[assignment]  # it takes more
            await anna.hello(capabilities=["results"])
            await seat_bot(tables, token)
            prompt = await anna.prompt()
            goodbye = frames_pb2.ClientFrame(goodbye=frames_pb2.Goodbye())
            both = goodbye.SerializeToString() + answer(prompt).SerializeToString()
            # One frame: field 1, length-delimited.
            await call.write(bytes([0x0A, len(both)]) + both)
            assert (await anna.next("result")).result.accepted
