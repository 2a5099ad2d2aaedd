"""Write the scripts of whole matches, and what a view of each prompt says beyond them.

python -m tests.conformance.frames.keep
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict, ParseDict

from bots.lowest import Lowest
from engine.rules import Rules
from engine.shuffle import SeededDecks, block_seed, bot_seed, first_dealer
from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2
from ohhell_bot import JokerCall, View
from ohhell_bot.decision import ask, decision, to_wire
from ohhell_bot.seats import Seats
from server.clock import TimeControl
from server.host import Host
from server.metrics import Metrics
from server.rpc.serving import GameListener
from server.setup import TableSetup

HERE = Path(__file__).parent
PATIENCE_S = 60.0

MATCHES: dict[str, tuple[str, dict[str, object], int]] = {
    "ordinary": ("pagat_standard", {"deal_shape": "up_down", "deal_high": 3}, 3),
    "forehead": ("devils_bridge", {"deal_high": 2}, 4),
    "jokers-called": ("blackout_jokers", {"deal_high": 3, "deal_count": 4}, 5),
    # All cards are dealt, so that wizards fall on wizards; a trump is named, too.
    "wizards": (
        "wizard",
        {"deal_shape": "list", "deal_list": [15, 1, 2, 3]},
        4,
    ),
    "bid-cards": ("ninety_nine", {"target_score": 30}, 3),
    "spanish-pack": ("la_pocha", {"deal_high": 3}, 4),
    "secret-bids": ("simultaneous", {"deal_shape": "up", "deal_high": 3}, 3),
    "twin-cards": ("bust", {"deal_shape": "list", "deal_list": [9]}, 5),
    "odd-deals": ("clag", {"deal_high": 2}, 4),
}
"""Preset, what is different from it so that the match is short, and players."""

Frames = Sequence[frames_pb2.ServerFrame] | Sequence[frames_pb2.ClientFrame]


def path_of(name: str) -> Path:
    return HERE / f"match-{name}.json"


def step(who: str, frames: Frames) -> dict[str, Any]:
    return {who: [MessageToDict(f, preserving_proto_field_name=True) for f in frames]}


def text_of(script: dict[str, Any]) -> str:
    """A step is a line."""
    *head, (_, steps) = script.items()
    lines = [f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head]
    body = ",\n".join([f"    {json.dumps(step)}" for step in steps])
    return "{\n" + "".join(lines) + f'  "steps": [\n{body}\n  ]\n}}\n'


async def script_of(name: str) -> dict[str, Any]:
    """Plays the match; times are left out, there is no clock."""
    preset, overrides, players = MATCHES[name]
    host = Host(house_bots={})
    host.start()
    listener = GameListener(host, Metrics(), address="127.0.0.1", port=0)
    await listener.start()
    token = host.bots.register("lowest")
    try:
        async with (
            asyncio.timeout(PATIENCE_S),
            grpc.aio.insecure_channel(f"127.0.0.1:{listener.port}") as channel,
        ):
            arena = arena_pb2_grpc.ArenaServiceStub(channel)
            call = arena.Connect(metadata=(("authorization", f"Bearer {token}"),))
            steps = await _conversation(call, host, preset, overrides, players)
    finally:
        host.close()
        await listener.stop(0)
    return {
        "title": f"A whole match of {preset}, every seat of it played over one stream",
        "bot": "lowest",
        "settings": {"instance": "one", "workers": players, "token": "a-token"},
        "dialled": True,
        "steps": [
            {"stream": {"authorization": "Bearer a-token"}},
            *steps,
            {"stop": {}},
            {"bot": [{"goodbye": {"reason": "stopped"}}]},
            {"ends": "stopped"},
        ],
    }


async def _conversation(
    call: Any,  # noqa: ANN401  # generic in the stubs
    host: Host,
    preset: str,
    overrides: dict[str, object],
    players: int,
) -> list[dict[str, Any]]:
    """One frame of the service at a time: how they are grouped is a matter of luck."""
    hello = frames_pb2.Hello(
        revision=1, min_revision=1, instance_id="one", workers=players
    )
    steps = []

    async def say(frame: frames_pb2.ClientFrame) -> None:
        steps.append(step("bot", [frame]))
        await call.write(arena_pb2.ConnectRequest(frames=[frame]))

    await say(frames_pb2.ClientFrame(hello=hello))
    seats, views = Seats(Lowest), {}
    ended = 0
    while ended < players:
        message = await call.read()
        for frame in message.frames:
            match frame.WhichOneof("body"):
                case "heartbeat":
                    continue
                case "welcome":
                    frame.welcome.session_id = "s1"
                    _open_table(host, preset, overrides, players)
                case "seat":
                    assigned = seats.assign(frame.seat)
                    assert assigned is not None
                    views[frame.seat.handle] = assigned
                case "ended":
                    ended += 1
                case _:
                    pass
            steps.append(step("service", [frame]))
            if frame.HasField("prompt"):
                seat = views[frame.prompt.handle]
                view = View.from_wire(frame.prompt, seat.match)
                await say(to_wire(view, decision(view, ask(seat.bot, view))))
    return steps


def _open_table(
    host: Host, preset: str, overrides: dict[str, object], players: int
) -> None:
    rules = Rules.of(preset, overrides, players=players).without_amending()
    seed = block_seed(bytes(32), 0, 0)
    setup = TableSetup(
        table="t1",
        rules=rules,
        players=("lowest",) * players,
        first_dealer=first_dealer(seed, players),
        decks=SeededDecks(seed, rules, players),
        bot_seeds=tuple([bot_seed(seed, 0, seat) for seat in range(players)]),
        preset=preset,
        rules_hash=rules.hash(players),
        clock=TimeControl(),
    )
    seats = [host.player("lowest") for _ in range(players)]
    host.open_table(setup, seats, lambda table: None)


DERIVED = HERE / "derived.jsonl"


def derived_text() -> str:
    """A line for every prompt of the kept scripts of matches."""
    lines = []
    for name in MATCHES:
        script = json.loads(path_of(name).read_text(encoding="utf-8"))
        seats, views = Seats(Lowest), {}
        frames = [
            frame for step in script["steps"] for frame in step.get("service", ())
        ]
        for text in frames:
            frame = ParseDict(text, frames_pb2.ServerFrame())
            if frame.HasField("seat"):
                assigned = seats.assign(frame.seat)
                assert assigned is not None
                views[frame.seat.handle] = assigned
            if frame.HasField("prompt"):
                match = views[frame.prompt.handle].match
                view = View.from_wire(frame.prompt, match)
                lines.append(json.dumps({"script": f"match-{name}", **_derived(view)}))
    return "\n".join(lines) + "\n"


def _derived(view: View) -> dict[str, Any]:
    return {
        "seq": view.seq,
        "handle": view.handle,
        "trick": view.trick,
        "led_suit": view.led_suit,
        "position": view.position,
        "plays_last": view.plays_last,
        "winner_so_far": view.winner_so_far,
        "my_bid": view.my_bid,
        "my_tricks": view.my_tricks,
        "needed": view.needed,
        "tricks_left": view.tricks_left,
        "unseen": view.unseen,
        "strength": [view.match.rules.strength[card] for card in view.hand],
        "wins": [[view.wins(card, call) for call in JokerCall] for card in view.hand],
        "words": [view.rng.word(), view.rng.word()],
    }


def main() -> None:
    for name in MATCHES:
        path_of(name).write_text(text_of(asyncio.run(script_of(name))))
        print(f"{path_of(name).name}: written")
    DERIVED.write_text(derived_text())
    print(f"{DERIVED.name}: written")


if __name__ == "__main__":
    main()
