"""Messages of the bare echo: a request of 8 fields and 50 bytes, a reply of 18 and 190.

They are built at run time, because a peer that only the benchmark needs has no place in
the public protocol.
"""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

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
