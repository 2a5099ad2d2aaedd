"""docs/protocol.md shows frames that the service really sends."""

from __future__ import annotations

import asyncio
import re

import grpc
from google.protobuf import text_format

from bots.local import LOCAL_FACTORIES
from engine.rules import Rules
from engine.shuffle import SeededDecks, block_seed, bot_seed
from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2, match_pb2
from server.clock import TimeControl
from server.host import Host
from server.metrics import Metrics
from server.players.port import Player
from server.rpc.serving import GameListener
from server.setup import TableSetup
from tests.doubles.patience import PATIENCE_S
from tests.project.documents import blocks_of, document

SEATS = ("mybot", "greedy", "lowest")
HOOKED = 1
"""What the bot bids first in the second deal, where the hook forbids it."""


async def test_the_page_shows_the_frames_of_a_real_match_in_order() -> None:
    said = _merged(await conversation())
    at = 0
    for block in blocks_of(document("docs/protocol.md"), "textproto"):
        shown = _pattern(block.text)
        found = [i for i, frame in enumerate(said[at:], at) if shown.fullmatch(frame)]
        assert found, f"no such frame in this place:\n{block.text}\nbut\n" + said[at]
        at = found[0] + 1
    assert at == len(said), "the page ends before the match does"


def _pattern(text: str) -> re.Pattern[str]:
    """A comment line stands for any number of lines."""
    lines = [
        r"(?:.*\n)*?" if line.lstrip().startswith("#") else re.escape(line + "\n")
        for line in text.splitlines()
    ]
    return re.compile("".join(lines))


def _merged(frames: list[frames_pb2.ServerFrame | frames_pb2.ClientFrame]) -> list[str]:
    """Texts of frames; how entries are spread over frames depends on the moment."""
    texts: list[str] = []
    before: frames_pb2.ServerFrame | None = None
    for frame in frames:
        if isinstance(frame, frames_pb2.ServerFrame) and frame.HasField("entries"):
            if before is not None:
                before.entries.entries.extend(frame.entries.entries)
                texts[-1] = _text(before)
                continue
            before = frame
        else:
            before = None
        texts.append(_text(frame))
    return texts


def _text(frame: frames_pb2.ServerFrame | frames_pb2.ClientFrame) -> str:
    text = text_format.MessageToString(frame, use_short_repeated_primitives=True)
    text = re.sub(r'session_id: "\w+"', 'session_id: "18b9d61706c35d42"', text)
    # Of the limit some may be gone by the time of writing.
    return re.sub(r"limit_ms: \d+", "limit_ms: 1000", text)


async def conversation() -> list[frames_pb2.ServerFrame | frames_pb2.ClientFrame]:
    """Plays a match of two deals with one connected bot and gives every frame."""
    host = Host(house_bots=LOCAL_FACTORIES)
    host.start()
    listener = GameListener(host, Metrics(), address="127.0.0.1", port=0)
    await listener.start()
    token = host.bots.register("mybot")
    said: list[frames_pb2.ServerFrame | frames_pb2.ClientFrame] = []
    async with (
        asyncio.timeout(PATIENCE_S),
        grpc.aio.insecure_channel(f"127.0.0.1:{listener.port}") as channel,
    ):
        call = arena_pb2_grpc.ArenaServiceStub(channel).Connect(
            metadata=(("authorization", f"Bearer {token}"),)
        )

        async def say(frame: frames_pb2.ClientFrame) -> None:
            said.append(frame)
            await call.write(arena_pb2.ConnectRequest(frames=[frame]))

        hello = frames_pb2.Hello(
            revision=1,
            min_revision=1,
            software="mybot 1",
            instance_id="one",
            workers=1,
            entries=True,
        )
        await say(frames_pb2.ClientFrame(hello=hello))
        over = False
        while not over:
            message = await call.read()
            assert isinstance(message, arena_pb2.ConnectResponse)
            for frame in message.frames:
                said.append(frame)
                if frame.HasField("welcome"):
                    _open_table(host)
                elif frame.HasField("prompt"):
                    await say(_answer_to(frame.prompt))
                elif frame.HasField("heartbeat"):
                    pong = frames_pb2.Pong(nonce=frame.heartbeat.nonce)
                    await say(frames_pb2.ClientFrame(pong=pong))
                    # The first one goes out behind the end of the seat.
                    over = True
        goodbye = frames_pb2.Goodbye(reason="done")
        await say(frames_pb2.ClientFrame(goodbye=goodbye))
    host.close()
    await listener.stop(0)
    return said


def _open_table(host: Host) -> None:
    rules = Rules.of(
        "pagat_standard",
        {"deal_shape": "up", "deal_low": 1, "deal_high": 2},
        players=len(SEATS),
    ).without_amending()
    seed = block_seed(bytes(32), 0, 0)
    setup = TableSetup(
        table="3f9c1d2e7a604b58",
        rules=rules,
        players=SEATS,
        first_dealer=2,
        decks=SeededDecks(seed, rules, len(SEATS)),
        bot_seeds=tuple(bot_seed(seed, 0, seat) for seat in range(len(SEATS))),
        preset="pagat_standard",
        rules_hash=rules.hash(len(SEATS)),
        clock=TimeControl(per_decision_ms=1000, bank_ms=10_000, grace_ms=50),
    )
    players: list[Player] = [host.player("mybot")]
    players += [host.house_player(bot) for bot in SEATS[1:]]
    host.open_table(setup, players, lambda table: None)


def _answer_to(prompt: match_pb2.View) -> frames_pb2.ClientFrame:
    answer = frames_pb2.Answer(
        handle=prompt.handle, seq=prompt.seq, attempt=prompt.attempt
    )
    if prompt.ask == match_pb2.ASK_PLAY:
        answer.card = prompt.legal_cards[0]
    elif prompt.deal == 1:
        answer.bid = prompt.legal_bids[0]
    else:
        answer.bid = HOOKED if prompt.attempt == 1 else prompt.legal_bids[-1]
    return frames_pb2.ClientFrame(answer=answer)
