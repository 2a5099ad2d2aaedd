"""Bytes that are no message, on a stream that begins as it should."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc

from ohhell.v1 import arena_pb2, frames_pb2


def token() -> str:
    if "OHHELL_BOT_TOKEN_FD" in os.environ:
        with os.fdopen(int(os.environ["OHHELL_BOT_TOKEN_FD"])) as pipe:
            return pipe.read().strip()
    if "OHHELL_BOT_TOKEN_FILE" in os.environ:
        return Path(os.environ["OHHELL_BOT_TOKEN_FILE"]).read_text().strip()
    return os.environ.get("OHHELL_BOT_TOKEN", "")


def messages() -> Iterator[bytes]:
    hello = frames_pb2.Hello(
        revision=1,
        min_revision=1,
        instance_id=os.environ.get("OHHELL_BOT_INSTANCE", "garbage"),
        lane=int(os.environ.get("OHHELL_BOT_LANE", "0")),
    )
    first = arena_pb2.ConnectRequest(frames=[frames_pb2.ClientFrame(hello=hello)])
    yield first.SerializeToString()
    yield b"\xff" * 64


def main() -> None:
    address = os.environ.get("OHHELL_BOT_ADDRESS", "127.0.0.1:50051")
    with grpc.insecure_channel(address) as channel:
        connect: grpc.StreamStreamMultiCallable[bytes, bytes]
        connect = channel.stream_stream("/ohhell.v1.ArenaService/Connect")
        metadata = (("authorization", f"Bearer {token()}"),)
        try:
            for _ in connect(messages(), metadata=metadata):
                pass
        except grpc.RpcError as error:
            sys.exit(f"the stream ended: {error}")


if __name__ == "__main__":
    main()
