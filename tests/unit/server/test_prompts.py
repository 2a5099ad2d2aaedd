"""Questions joined by hand are the messages that the protobuf library builds."""

import pytest

from engine.fallback import fallback
from engine.presets import preset_names
from engine.rules import Rules
from engine.view import view
from ohhell.v1 import arena_pb2, match_pb2
from server.clock import TimeControl
from server.decision import Question
from server.rpc import wire
from server.rpc.prompts import Prompts
from tests.doubles.tables import game, setup

CLOCK = TimeControl(per_decision_ms=70_000, bank_ms=300, increment_ms=0, grace_ms=50)

HANDLE = 300
NOW = 1000.25


def playable(preset: str) -> bool:
    return not Rules.of(preset).validate(4)


@pytest.mark.parametrize("preset", [name for name in preset_names() if playable(name)])
def test_every_prompt_of_a_match_is_the_message_that_the_library_builds(
    preset: str,
) -> None:
    play = game(setup(preset, clock=CLOCK))
    table = play.table
    prompts = [Prompts(HANDLE) for _ in table.open]
    checked = 0
    while table.outcome is None:
        question = next(q for q in table.open if q is not None)
        if checked % 2:
            # As it is done for all that are sent; the others are sent again.
            table.handed_over(question, NOW)
        checked += is_same(question, prompts[question.seat])
        command = fallback(table.match, question.seat)
        table.answer(question.seat, question.seq, 0, command, play.clock.now)
    assert checked > 10


def is_same(question: Question, prompts: Prompts) -> bool:
    frame = prompts.frame(question, NOW)
    (read,) = arena_pb2.ConnectResponse.FromString(frame).frames
    built = match_pb2.View(handle=HANDLE)
    seen = view(question.table.match, question.seat)
    wire.write_prompt(built, seen, question, NOW)
    assert read.prompt == built
    return True
