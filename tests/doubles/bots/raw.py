"""A bot without a library that takes the first legal thing, with one wrong frame.

`python raw.py FAULT [WORD...]`, where FAULT is one of the functions below, and words
of rules are those that it declines.
"""

from __future__ import annotations

import os
import queue
import sys
import time
from collections.abc import Callable, Sequence

import grpc

from examples.python_bare.bare_bot import answer_to
from ohhell.v1 import arena_pb2, arena_pb2_grpc, cards_pb2, frames_pb2, match_pb2
from tests.doubles.bots.garbage import token

ClientFrame = frames_pb2.ClientFrame
Answers = Sequence[frames_pb2.Answer]
Fault = Callable[[match_pb2.View], Answers]


def nothing(prompt: match_pb2.View) -> Answers:
    return [answer_to(prompt)]


def twice(prompt: match_pb2.View) -> Answers:
    return [answer_to(prompt)] * 2


previous: list[frames_pb2.Answer] = []


def the_previous_prompt(prompt: match_pb2.View) -> Answers:
    """Every fifth time it answers what it was asked before, then what it is asked."""
    previous.append(answer_to(prompt))
    return [previous[-2], previous[-1]] if len(previous) % 5 == 0 else [previous[-1]]


def the_next_prompt(prompt: match_pb2.View) -> Answers:
    early = answer_to(prompt)
    early.seq += 1000
    return [early, answer_to(prompt)]


def floods(prompt: match_pb2.View) -> Answers:
    return [frames_pb2.Answer(handle=4_000_000, seq=1)] * 100 + [answer_to(prompt)]


def without_call(prompt: match_pb2.View) -> Answers:
    answer = answer_to(prompt)
    answer.ClearField("call")
    return [answer]


def names_the_hidden_card(prompt: match_pb2.View) -> Answers:
    answer = answer_to(prompt)
    if prompt.ask == match_pb2.ASK_PLAY and not prompt.legal_cards:
        answer.card = 1  # type: ignore[assignment]  # open enum: any int fits
    return [answer]


answered: set[tuple[int, int]] = set()


def answers_each_prompt_once(prompt: match_pb2.View) -> Answers:
    """Takes a prompt that is repeated for one that it has answered."""
    name = (prompt.handle, prompt.seq)
    if name in answered:
        return []
    answered.add(name)
    return [answer_to(prompt)]


def gives_up_short_limits(prompt: match_pb2.View) -> Answers:
    return [answer_to(prompt)] if prompt.limit_ms > 20 else []


last_played: dict[int, cards_pb2.Card.ValueType] = {}
"""By deal, on the first stream."""


def forgets_what_it_played(prompt: match_pb2.View) -> Answers:
    """Once its stream has broken off, it plays its last card of that deal again."""
    answer = answer_to(prompt)
    if prompt.ask == match_pb2.ASK_PLAY:
        if streams == 1:
            last_played[prompt.deal] = answer.card
        answer.card = last_played.get(prompt.deal, answer.card)
    return [answer]


streams = 0

handles: list[int] = []


def answers_for_its_first_seat(prompt: match_pb2.View) -> Answers:
    """Keeps the handle of the match that it plays, as if there were only one."""
    handles.append(prompt.handle)
    answer = answer_to(prompt)
    answer.handle = handles[0]
    return [answer]


def never(frame: frames_pb2.ServerFrame) -> bool:
    return False


def stream(
    fault: Fault, ended_by: Callable[[frames_pb2.ServerFrame], bool] = never
) -> None:
    """One connection, until it ends or a frame comes that ends the bot."""
    global streams  # noqa: PLW0603 - a bot's life, for those that forget badly
    streams += 1
    hello = frames_pb2.Hello(
        revision=1,
        min_revision=1,
        instance_id=os.environ.get("OHHELL_BOT_INSTANCE", "raw"),
        lane=int(os.environ.get("OHHELL_BOT_LANE", "0")),
        declines=sys.argv[2:],
    )
    outgoing: queue.SimpleQueue[arena_pb2.ConnectRequest] = queue.SimpleQueue()
    outgoing.put(arena_pb2.ConnectRequest(frames=[ClientFrame(hello=hello)]))
    with grpc.insecure_channel(os.environ["OHHELL_BOT_ADDRESS"]) as channel:
        arena = arena_pb2_grpc.ArenaServiceStub(channel)
        for message in arena.Connect(
            iter(outgoing.get, None), metadata=(("authorization", f"Bearer {TOKEN}"),)
        ):
            for frame in message.frames:
                if ended_by(frame):
                    sys.exit(4)
                if frame.HasField("heartbeat"):
                    if sys.argv[1] == "never_says_that_it_is_there":
                        continue
                    pong = frames_pb2.Pong(nonce=frame.heartbeat.nonce)
                    said = [ClientFrame(pong=pong)]
                elif frame.HasField("prompt"):
                    said = [ClientFrame(answer=a) for a in fault(frame.prompt)]
                else:
                    continue
                outgoing.put(arena_pb2.ConnectRequest(frames=said))


def is_a_warning(frame: frames_pb2.ServerFrame) -> bool:
    return frame.notice.kind == frames_pb2.NOTICE_KIND_DRAINING


def main() -> None:
    if sys.argv[1] == "cannot_reconnect":
        stream(nothing)
        return
    leaves = sys.argv[1] == "leaves_when_warned"
    # Faults that lie elsewhere than in the answers have no function.
    fault = globals().get(sys.argv[1], nothing)
    while True:
        try:
            stream(fault, is_a_warning if leaves else never)
        except grpc.RpcError:
            time.sleep(0.1)


TOKEN = token()

if __name__ == "__main__":
    main()
