"""Questions joined by hand are the messages that the protobuf library builds."""

import pytest

from engine.fallback import fallback
from engine.presets import preset_names
from engine.rules import Rules
from engine.view import view
from ohhell.v1 import arena_pb2, match_pb2, tables_pb2
from server.clock import TimeControl
from server.decision import Question, Reply
from server.rpc import wire
from server.rpc.prompts import Prompts, move_response
from server.table import Table
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


@pytest.mark.parametrize("preset", [name for name in preset_names() if playable(name)])
def test_every_answer_to_a_move_is_the_message_that_the_library_builds(
    preset: str,
) -> None:
    play = game(setup(preset, clock=CLOCK))
    table = play.table
    checked = 0
    while table.outcome is None:
        question = next(q for q in table.open if q is not None)
        table.handed_over(question, NOW)
        command = fallback(table.match, question.seat)
        reply = table.answer(question.seat, question.seq, 0, command, NOW)
        assert reply.accepted
        repeated = reply._replace(duplicate=bool(checked % 2))
        for seat in range(len(table.open)):
            # The seat itself, and one that is asked something else next.
            checked += is_same_answer(repeated, table, seat)
    assert checked > 10


MOVES = (
    tables_pb2.PlaceBidResponse,
    tables_pb2.PlayCardResponse,
    tables_pb2.ChooseTrumpResponse,
    tables_pb2.LayBidCardsResponse,
    tables_pb2.AmendBidResponse,
)


def is_same_answer(reply: Reply, table: Table, seat: int) -> bool:
    later = NOW + 0.5
    seen = match_pb2.View()
    question = table.open[seat]
    if question is None:
        wire.write_view(seen, view(table.match, seat))
    else:
        wire.write_prompt(seen, view(table.match, seat), question, later)
    answered = move_response(reply, table, seat, later)
    for response in MOVES:
        read = response.FromString(answered)
        assert read == response(entry=reply.entry, duplicate=reply.duplicate, view=seen)
    return True


def is_same(question: Question, prompts: Prompts) -> bool:
    frame = prompts.frame(question, NOW)
    (read,) = arena_pb2.ConnectResponse.FromString(frame).frames
    built = match_pb2.View(handle=HANDLE)
    seen = view(question.table.match, question.seat)
    wire.write_prompt(built, seen, question, NOW)
    assert read.prompt == built
    return True
