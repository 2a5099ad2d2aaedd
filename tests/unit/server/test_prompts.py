"""Questions joined by hand are the messages that the protobuf library builds."""

import pytest

from engine.fallback import fallback
from engine.presets import preset_names
from engine.rules import Rules
from engine.view import view
from ohhell.v1 import arena_pb2, match_pb2
from server.clock import TimeControl
from server.rpc import wire
from server.rpc.prompts import prompt_frame
from server.table import Question
from tests.doubles.tables import game, setup

CLOCK = TimeControl(per_decision_ms=70_000, bank_ms=300, increment_ms=0, grace_ms=50)


def playable(preset: str) -> bool:
    return not Rules.of(preset).validate(4)


@pytest.mark.parametrize("preset", [name for name in preset_names() if playable(name)])
def test_every_prompt_of_a_match_is_the_message_that_the_library_builds(
    preset: str,
) -> None:
    play = game(setup(preset, clock=CLOCK))
    table = play.table
    checked = 0
    while table.outcome is None:
        question = next(q for q in table.open if q is not None)
        seen = view(table.match, question.seat)
        checked += same(question, seen_handle=checked * 97)
        assert seen.ask == question.ask
        command = fallback(table.match, question.seat)
        table.answer(question.seat, question.seq, 0, command, play.clock.now)
    assert checked > 10


def same(question: Question, *, seen_handle: int) -> bool:
    seen = view(question.table.match, question.seat)
    frame = prompt_frame(seen_handle, seen, question, 1000.25)
    (read,) = arena_pb2.ConnectResponse.FromString(frame).frames
    built = match_pb2.View(handle=seen_handle)
    wire.write_prompt(built, seen, question, 1000.25)
    assert read.prompt == built
    return True
