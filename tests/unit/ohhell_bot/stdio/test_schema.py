"""The lines themselves: what is in them, and that the page tells of all of it."""

from __future__ import annotations

import json
import re

import pytest

from ohhell_bot import JokerCall, Lay, Match, Play, Result
from ohhell_bot.errors import BadAnswer
from ohhell_bot.stdio import schema
from ohhell_bot.vocabulary import Ask, BidState, CallRule, Claim, EndReason, ShownWhy
from tests.doubles.positions import match, position
from tests.project.tree import ROOT

PAGE = (ROOT / "docs/stdio.md").read_text(encoding="utf-8")


def asked(ask: Ask, **more: object) -> dict[str, object]:
    line = schema.ask_line(position(ask, **more))  # type: ignore[arg-type]  # any field
    assert "\n" not in line
    values: dict[str, object] = json.loads(line)
    assert not any(isinstance(value, dict | list) for value in values.values())
    return values


def start() -> dict[str, object]:
    told: dict[str, object] = json.loads(schema.start_line(match(4)))
    return told


def end() -> dict[str, object]:
    result = Result(match(4), EndReason.PLAYED, (3, -1, 0, 2), (0,))
    told: dict[str, object] = json.loads(schema.end_line(result))
    return told


def test_the_page_tells_of_every_key() -> None:
    keys = {*asked(Ask.BID, hand="QH"), *start(), *end()}
    prose = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    told = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`[^`]+`", prose))))
    assert keys - told == set()


def test_a_position_is_told_in_texts() -> None:
    said = asked(
        Ask.PLAY,
        hand="QH TH 3S",
        plays="2H",
        leaders=(3,),
        bids=[1, None, 0, 2],
        tricks=[0, 0, 1, 0],
        trump="S",
        upcard="9S",
        legal="QH TH",
    )
    wanted = {
        "ask": "play",
        "legal": "QH TH",
        "hand": "QH TH 3S",
        "hidden": 0,
        "trick": "2H",
        "led": "H",
        "trump": "S",
        "upcard": "9S",
        "bids": "1 - 0 2",
        "tricks": "0 0 1 0",
        "ranks": "23456789TJQKA",
    }
    assert {key: said[key] for key in wanted} == wanted


def test_bids_that_cannot_be_told_have_signs_of_their_own() -> None:
    view = position(Ask.BID, hand="QH", bids=[0, 0, 0, 0])
    states = (BidState.HIDDEN, BidState.NO_PART, BidState.MISERE, BidState.OPEN)
    view.__dict__["bid_states"] = states
    assert json.loads(schema.ask_line(view))["bids"] == "? x m 0"


def test_open_cards_of_others_are_told_with_their_seats() -> None:
    said = asked(
        Ask.BID,
        hand="QH",
        shown_cards=[11, 12, 13],
        shown_counts=[0, 1, 0, 2],
        shown_why=[0, ShownWhy.FOREHEAD, 0, ShownWhy.REVEAL],
    )
    assert said["shown"] == "1:QC 3:KC 3:AC"
    assert said["shown_why"] == "- forehead - reveal"


def test_hidden_cards_are_counted() -> None:
    assert asked(Ask.BID, hand="", size=5)["hidden"] == 5


def test_a_call_that_is_needed_is_said() -> None:
    said = asked(Ask.PLAY, hand="X1 3S", call=CallRule.REQUIRED)
    assert said["call"] == "required"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b'{"id":"a","bid":0}', 0),
        (b'{"bid":"3"}', 3),
    ],
)
def test_a_bid_is_a_number_or_its_text(line: bytes, answer: int) -> None:
    assert schema.bid_of(schema.read_line(line)) == answer


def test_other_answers_are_texts() -> None:
    read = schema.read_line
    assert schema.play_of(read(b'{"play":"X1","call":"high"}')) == Play(
        53, JokerCall.HIGH
    )
    assert schema.trump_of(read(b'{"trump":"S","note":"x"}')) == 4
    laid = schema.lay_of(read(b'{"lay":"2C 3C 4C","claim":"reveal"}'))
    assert laid == Lay((1, 2, 3), Claim.REVEAL)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"bid":true}', "bid is True"),
        (b'{"bid":-1.5}', "bid is -1.5"),
        (b'{"bid":null}', "bid is None"),
        (b'{"play":1}', "the answer to a question 'bid' has no 'bid': play"),
        (b"{}", "has no 'bid': nothing"),
        (b'{"id":5,"bid":1}', "wrote 5 as id"),
        (b'"bid"', "which is no JSON object"),
    ],
)
def test_what_is_no_bid_is_told(line: bytes, said: str) -> None:
    with pytest.raises(BadAnswer, match=re.escape(said)):
        schema.bid_of(schema.read_line(line))


def test_words_that_are_none_are_told() -> None:
    read = schema.read_line
    with pytest.raises(BadAnswer, match="call is 'up', which is none of none, high"):
        schema.play_of(read(b'{"play":"X1","call":"up"}'))
    with pytest.raises(BadAnswer, match="trump is 'CD', which is none of C D H S"):
        schema.trump_of(read(b'{"trump":"CD"}'))
    with pytest.raises(BadAnswer, match="lay: '1C' is no card"):
        schema.lay_of(read(b'{"lay":"1C"}'))


def test_names_with_spaces_stay_one_item() -> None:
    told = Match(
        seat=0, rules=match(4).rules, bot_seed=b"", players=("a b", "c", "d", "e")
    )
    assert json.loads(schema.start_line(told))["names"] == "a_b c d e"
