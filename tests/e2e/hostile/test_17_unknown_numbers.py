"""Enum numbers, frames and fields that this revision does not know."""

from __future__ import annotations

from pathlib import Path

import grpc

from ohhell.v1 import match_pb2, tables_pb2
from tests.doubles.serving import Metadata, person_at, refused, serving, someone


def as_it_is(data: bytes) -> bytes:
    return data


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
            # Field 900, which nobody has defined, with a text.
            newer = play.SerializeToString() + b"\xa2\x38\x05hello"
            answered = await raw(channel, "PlayCard", anna.token, newer)  # type: ignore[misc]  # a call
            assert b"hello" not in answered
            response = tables_pb2.PlayCardResponse.FromString(answered)
            assert response.entry == view.seq + 1
