"""Messages of the bare echo, for streams and for single calls.

In streams a request has 8 fields and 50 bytes, a reply 18 and 190. They are built at
run time, because a peer that only the benchmark needs has no place in the public
protocol. Single calls are answered at once with what the service would answer with, a
move's entry and a whole view, in as many bytes: what is compared is the work behind it.
"""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from ohhell.v1 import tables_pb2

_PACKAGE = "ohhell.bench"
_FIELD = descriptor_pb2.FieldDescriptorProto


def _message(
    name: str, *, scalars: int, lists: int, parent: descriptor_pb2.FileDescriptorProto
) -> None:
    message = parent.message_type.add(name=name)
    for number in range(1, scalars + lists + 1):
        repeated = number > scalars
        message.field.add(
            name=f"f{number}",
            number=number,
            type=_FIELD.TYPE_UINT32,
            label=_FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL,
        )


def _batch(name: str, item: str, *, parent: descriptor_pb2.FileDescriptorProto) -> None:
    message = parent.message_type.add(name=name)
    message.field.add(
        name="items",
        number=1,
        type=_FIELD.TYPE_MESSAGE,
        type_name=f".{_PACKAGE}.{item}",
        label=_FIELD.LABEL_REPEATED,
    )


def _classes() -> dict[str, Any]:
    file = descriptor_pb2.FileDescriptorProto(
        name="ohhell_bench_echo.proto", package=_PACKAGE, syntax="proto3"
    )
    _message("Request", scalars=7, lists=1, parent=file)
    _message("Reply", scalars=9, lists=9, parent=file)
    _batch("Requests", "Request", parent=file)
    _batch("Replies", "Reply", parent=file)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        name: message_factory.GetMessageClass(
            pool.FindMessageTypeByName(f"{_PACKAGE}.{name}")
        )
        for name in ("Request", "Reply", "Requests", "Replies")
    }


_CLASSES = _classes()
Requests: Any = _CLASSES["Requests"]
Replies: Any = _CLASSES["Replies"]

METHOD = "/ohhell.bench.Echo/Stream"
UNARY_METHOD = "/ohhell.bench.Echo/Call"

_REQUEST: dict[str, Any] = {f"f{n}": 1000 * n for n in range(1, 8)}
_REQUEST["f8"] = list(range(20, 48))
_REPLY_LISTS = {f"f{n}": list(range(n, n + 16)) for n in range(10, 19)}


def requests(count: int) -> Any:  # noqa: ANN401  (class made at run time)
    """Build a message of ``count`` requests of about 50 bytes."""
    message = Requests()
    for _ in range(count):
        message.items.add(**_REQUEST)
    return message


def replies(incoming: Any) -> Any:  # noqa: ANN401  (class made at run time)
    """Build one reply of about 190 bytes, anew, for each request."""
    message = Replies()
    add = message.items.add
    for item in incoming.items:
        base = item.f1
        add(
            f1=base,
            f2=2,
            f3=3,
            f4=4,
            f5=5,
            f6=6,
            f7=7,
            f8=8,
            f9=9,
            **_REPLY_LISTS,
        )
    return message


_SEATS = [1] * 4
# What a seat sees that has just played, about as long as the mean over a match.
_VIEW: dict[str, Any] = {
    "seq": 300,
    "seat": 2,
    "phase": 3,
    "deal": 7,
    "deal_kind": 1,
    "dealer": 3,
    "size": 7,
    "trump": 2,
    "upcard": 21,
    "hand": [20, 30, 40],
    "bids": _SEATS,
    "bid_states": _SEATS,
    "tricks": _SEATS,
    "plays": list(range(20, 41)),
    "leaders": _SEATS,
    "shown_counts": _SEATS,
    "shown_why": _SEATS,
    "scores": [33] * 4,
    "to_act": [3],
    "attempt": 1,
    "limit_ms": 1,
    "bank_ms": 1,
}


def move() -> Any:  # noqa: ANN401  (enum fields take numbers)
    """Build a single call's request."""
    request: Any = tables_pb2.PlayCardRequest
    return request(table="t-0123456789ab", card=17)


def moved(request: Any) -> Any:  # noqa: ANN401  (enum fields take numbers)
    """Build its answer, anew."""
    response: Any = tables_pb2.PlayCardResponse
    return response(entry=request.card, view=_VIEW)
