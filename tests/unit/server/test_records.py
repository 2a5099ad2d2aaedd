"""The record of a match as a message, whose JSON form is protobuf's own."""

import pytest
from google.protobuf import json_format

from engine import events
from engine.events import Entry, Event
from engine.fallback import fallback
from engine.presets import preset_names
from engine.rules import Rules
from ohhell.v1 import match_pb2, record_pb2
from server.rpc import wire
from tests.doubles.tables import game, setup

EVENTS: dict[str, type[Event]] = {
    "dealt": events.Dealt,
    "trump": events.TrumpMade,
    "bid": events.BidMade,
    "bids": events.BidsOpened,
    "laid": events.BidCardsLaid,
    "amended": events.BidAmended,
    "shown": events.CardsShown,
    "played": events.CardPlayed,
    "trick": events.TrickTaken,
    "scored": events.DealScored,
    "ended": events.MatchEnded,
}


def entry_of(message: match_pb2.Entry) -> Entry:
    """What a reader of the message knows of the entry."""
    kind = message.WhichOneof("body")
    assert kind is not None
    body = getattr(message, kind)
    values = {}
    for name in EVENTS[kind]._fields:
        value = getattr(body, name)
        field = body.DESCRIPTOR.fields_by_name[name]
        if field.is_repeated:
            value = tuple(value)
        elif field.has_presence and not body.HasField(name):
            value = None
        values[name] = value
    return Entry(message.seq, events.Cause(message.cause), EVENTS[kind](**values))


@pytest.mark.parametrize("preset", preset_names())
def test_a_record_of_every_preset_comes_back_from_json(preset: str) -> None:
    seats = min(Rules.of(preset).players)
    play = game(setup(preset, seats=seats))
    table = play.table
    while table.outcome is None:
        question = next(q for q in table.open if q is not None)
        command = fallback(table.match, question.seat)
        table.answer(question.seat, question.seq, 0, command, play.clock.now)

    written = record_pb2.Record()
    wire.write_record(written, table)
    text = json_format.MessageToJson(written)
    read = json_format.Parse(text, record_pb2.Record())

    assert read == written
    assert read.rules.hash == table.setup.rules.hash(seats)
    assert tuple(read.players) == table.setup.players
    assert [entry_of(entry) for entry in read.entries] == table.match.entries()
