"""Bytes that are no message, as the answer to every prompt."""

import os
import queue
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


def hello() -> bytes:
    body = frames_pb2.Hello(
        revision=1,
        min_revision=1,
        instance_id=os.environ.get("OHHELL_BOT_INSTANCE", "garbage"),
        lane=int(os.environ.get("OHHELL_BOT_LANE", "0")),
    )
    request = arena_pb2.ConnectRequest(frames=[frames_pb2.ClientFrame(hello=body)])
    return request.SerializeToString()


def main() -> None:
    outgoing: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    outgoing.put(hello())
    address = os.environ.get("OHHELL_BOT_ADDRESS", "127.0.0.1:50051")
    with grpc.insecure_channel(address) as channel:
        connect: grpc.StreamStreamMultiCallable[bytes, bytes]
        connect = channel.stream_stream("/ohhell.v1.ArenaService/Connect")
        metadata = (("authorization", f"Bearer {token()}"),)
        for data in connect(iter(outgoing.get, None), metadata=metadata):
            message = arena_pb2.ConnectResponse.FromString(data)
            if any(frame.HasField("prompt") for frame in message.frames):
                outgoing.put(b"\xff" * 64)


if __name__ == "__main__":
    main()
