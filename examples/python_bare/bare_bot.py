"""A whole bot with nothing but the generated stubs (`pip install proto/python`).

In the spec of a tournament: `command = ["python", "bare_bot.py"]`.

It takes the first thing that is legal. What a library adds is reconnecting, logging,
a clean end and tables that do not wait for each other; the protocol needs none of it.
"""

import logging
import os
import queue

import grpc

from ohhell.v1 import arena_pb2, arena_pb2_grpc, cards_pb2, frames_pb2, match_pb2

JOKERS = (53, 54)

log = logging.getLogger("bare_bot")


def answer_to(prompt: match_pb2.View) -> frames_pb2.Answer:
    """A prompt is enough for a decision; `seq` says which decision is answered."""
    answer = frames_pb2.Answer(
        handle=prompt.handle, seq=prompt.seq, attempt=prompt.attempt
    )
    if prompt.ask == match_pb2.ASK_BID:
        answer.bid = prompt.legal_bids[0]
    elif prompt.ask == match_pb2.ASK_PLAY:
        # Nothing is listed where the seat may not see its card: no card plays that one.
        hidden = cards_pb2.CARD_UNSPECIFIED
        answer.card = prompt.legal_cards[0] if prompt.legal_cards else hidden
        if prompt.call == match_pb2.CALL_RULE_REQUIRED and answer.card in JOKERS:
            answer.call = match_pb2.JOKER_CALL_LOW
    elif prompt.ask == match_pb2.ASK_TRUMP:
        answer.trump = prompt.legal_suits[0]
    elif prompt.ask == match_pb2.ASK_BID_CARDS:
        answer.bid_cards.cards.extend(prompt.hand[:3])
    return answer


def reply_to(frame: frames_pb2.ServerFrame) -> frames_pb2.ClientFrame | None:
    match frame.WhichOneof("body"):
        case "prompt":
            return frames_pb2.ClientFrame(answer=answer_to(frame.prompt))
        case "heartbeat":
            pong = frames_pb2.Pong(nonce=frame.heartbeat.nonce)
            return frames_pb2.ClientFrame(pong=pong)
        case "result" if not frame.result.accepted:
            log.warning("%s: %s", frame.result.reason, frame.result.message)
    return None


def token_of_the_bot() -> str:
    """The runner of a tournament hands it over in a pipe, which can be read once."""
    if pipe := os.environ.get("OHHELL_BOT_TOKEN_FD"):
        with os.fdopen(int(pipe)) as token:
            return token.read()
    return os.environ.get("OHHELL_BOT_TOKEN", "")


def main() -> None:
    hello = frames_pb2.Hello(
        revision=1,
        min_revision=1,
        software="bare_bot",
        instance_id=os.environ.get("OHHELL_BOT_INSTANCE", "bare"),
        lane=int(os.environ.get("OHHELL_BOT_LANE", "0")),
        workers=64,
    )
    first = frames_pb2.ClientFrame(hello=hello)
    outgoing: queue.SimpleQueue[arena_pb2.ConnectRequest] = queue.SimpleQueue()
    outgoing.put(arena_pb2.ConnectRequest(frames=[first]))
    token = token_of_the_bot()
    address = os.environ.get("OHHELL_BOT_ADDRESS", "127.0.0.1:50051")
    with grpc.insecure_channel(address) as channel:
        arena = arena_pb2_grpc.ArenaServiceStub(channel)
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        for message in arena.Connect(iter(outgoing.get, None), metadata=metadata):
            replies = [reply for frame in message.frames if (reply := reply_to(frame))]
            if replies:
                outgoing.put(arena_pb2.ConnectRequest(frames=replies))


if __name__ == "__main__":
    main()
