"""Well-formed frames that mean nothing, before every answer of a bot without fault."""

import os
import queue

import grpc

from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2
from tests.doubles.bots.garbage import token

ClientFrame = frames_pb2.ClientFrame


def nonsense(handle: int) -> list[frames_pb2.ClientFrame]:
    return [
        ClientFrame(),
        ClientFrame(answer=frames_pb2.Answer(handle=4_000_000, seq=1, bid=1)),
        ClientFrame(answer=frames_pb2.Answer(handle=handle, seq=4_000_000, bid=1)),
        ClientFrame(amend=frames_pb2.Amend(handle=handle, seq=1, bid=0)),
        ClientFrame(pong=frames_pb2.Pong(nonce=4_000_000_000)),
        ClientFrame(unwatch=frames_pb2.Unwatch(handle=77)),
    ]


def main() -> None:
    hello = frames_pb2.Hello(
        revision=1,
        min_revision=1,
        instance_id=os.environ.get("OHHELL_BOT_INSTANCE", "nonsense"),
        lane=int(os.environ.get("OHHELL_BOT_LANE", "0")),
    )
    outgoing: queue.SimpleQueue[arena_pb2.ConnectRequest] = queue.SimpleQueue()
    outgoing.put(arena_pb2.ConnectRequest(frames=[ClientFrame(hello=hello)]))
    with grpc.insecure_channel(os.environ["OHHELL_BOT_ADDRESS"]) as channel:
        arena = arena_pb2_grpc.ArenaServiceStub(channel)
        for message in arena.Connect(
            iter(outgoing.get, None),
            metadata=(("authorization", f"Bearer {token()}"),),
        ):
            for frame in message.frames:
                if frame.HasField("prompt"):
                    frames = [*nonsense(frame.prompt.handle), answer(frame)]
                    outgoing.put(arena_pb2.ConnectRequest(frames=frames))


def answer(frame: frames_pb2.ServerFrame) -> frames_pb2.ClientFrame:
    prompt = frame.prompt
    said = frames_pb2.Answer(handle=prompt.handle, seq=prompt.seq)
    if prompt.legal_bids:
        said.bid = prompt.legal_bids[0]
    else:
        said.card = prompt.legal_cards[0]
    return ClientFrame(answer=said)


if __name__ == "__main__":
    main()
