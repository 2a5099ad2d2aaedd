"""Records: text that comes back the same, and proves itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import RecordError
from engine.events import Cause
from engine.match import Match
from engine.phase import Phase
from engine.record import (
    entry_line,
    header_line,
    match_of,
    parse_entry,
    parse_record,
    parse_records,
    print_record,
    record_of,
    record_text,
)
from engine.rules import Rules
from engine.shuffle import SeededDecks

SEED = bytes(range(32))
NAMES = ["ann", 'bob "the" cy,', "ümläut ✓"]


def played(
    preset: str = "pagat_standard", entries: int | None = None, **overrides: object
) -> Match:
    rules = Rules.of(preset, overrides, players=3)
    match = Match(rules, 3, first_dealer=2, decks=SeededDecks(SEED, rules, 3))
    match.start()
    while match.phase is not Phase.OVER and (entries is None or match.seq < entries):
        seat = match.to_act()[0]
        cause = Cause.FALLBACK if seat == 1 else Cause.ANSWER
        if match.phase is Phase.PLAYING:
            match.play_face_up(seat, match.legal_cards(seat)[0], cause=cause)
        elif match.phase is Phase.TRUMP_CHOICE:
            match.choose_trump(seat, 2, cause)
        elif rules.bid_mode == "bid_cards":
            match.lay(seat, match.hands[seat][:3], cause=cause)
        else:
            match.bid(seat, match.legal_bids(seat)[0], cause)
    return match


SHORT: dict[str, Any] = {"deal_shape": "list", "deal_list": [2, 1]}


def lines() -> list[str]:
    return record_text(played(**SHORT), NAMES).splitlines()


@pytest.mark.parametrize(
    "preset",
    [
        "pagat_standard",
        "simultaneous",
        "clag_short",
        "wizard",
        "stakes",
        "devils_bridge",
    ],
)
def test_a_printed_record_comes_back_as_it_was(preset: str) -> None:
    match = played(preset)
    text = record_text(match, NAMES)
    record = parse_record(text)
    assert record == record_of(match, NAMES)
    assert record.is_complete
    assert print_record(record) == text
    assert match_of(record).digest() == match.digest()


def test_bid_cards_come_back_as_well() -> None:
    match = played("ninety_nine")
    text = record_text(match, NAMES)
    assert print_record(parse_record(text)) == text
    assert match_of(parse_record(text)).digest() == match.digest()


def test_a_record_is_readable_line_by_line() -> None:
    text = record_text(played(**SHORT), NAMES)
    assert '"players":["ann","bob \\"the\\" cy,","ümläut ✓"]' in text
    assert '{"seq":3,"cause":"ANSWER","bid":{"seat":0,"bid":0}}' in text
    assert '"cause":"FALLBACK"' in text


def test_a_running_record_is_the_beginning_of_the_final_one() -> None:
    whole = record_text(played(**SHORT), NAMES)
    running = played(entries=8, **SHORT)
    text = record_text(running, NAMES)
    assert whole.startswith(text)
    assert not parse_record(text).is_complete
    appended = [header_line(record_of(running, NAMES))]
    appended += [entry_line(entry) for entry in running.entries()]
    assert "\n".join(appended) == text
    assert parse_entry(appended[-1], running.seq) == running.entry(running.seq)


def test_a_running_match_goes_on_from_its_record() -> None:
    running = played("wizard", entries=30)
    decks = SeededDecks(SEED, running.rules, 3)
    again = match_of(parse_record(record_text(running, NAMES)), decks)
    assert again.digest() == running.digest()
    for match in (again, running):
        while match.deal_no < 7:
            seat = match.to_act()[0]
            match match.phase:
                case Phase.PLAYING:
                    match.play(seat, match.legal_cards(seat)[0])
                case Phase.TRUMP_CHOICE:
                    match.choose_trump(seat, 2)
                case _:
                    match.bid(seat, 0)
    assert again.digest() == running.digest()


def test_a_record_of_a_hidden_upcard_needs_decks_to_go_on() -> None:
    late: dict[str, Any] = {**SHORT, "deal_kinds": {"1": "guess_trump"}}
    running = played("clag_short", entries=2, **late)
    record = parse_record(record_text(running, NAMES))
    with pytest.raises(RecordError, match="without its trump"):
        match_of(record)
    decks = SeededDecks(SEED, running.rules, 3)
    assert match_of(record, decks).digest() == running.digest()


def test_a_name_may_hold_what_ends_a_line_elsewhere() -> None:
    names = ["a\u2028b", "a\x85b", "a\nb\r"]
    text = record_text(played(**SHORT), names)
    assert parse_record(text).players == tuple(names)
    assert parse_record(f"{text}\n") == parse_record(text)


def test_records_may_stand_one_after_the_other() -> None:
    one, two = played(**SHORT), played("wizard", entries=9)
    text = record_text(one, NAMES) + "\n" + record_text(two, NAMES) + "\n"
    assert [*parse_records(text)] == [record_of(one, NAMES), record_of(two, NAMES)]
    with pytest.raises(RecordError, match="one record"):
        parse_record(text)
    with pytest.raises(RecordError, match="one record"):
        parse_record("")


def changed(number: int, change: Callable[[dict[str, Any]], None]) -> str:
    text = lines()
    fields = json.loads(text[number])
    change(fields)
    text[number] = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return "\n".join(text)


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (0, lambda f: f.update(record=2), "line 1: version 2"),
        (0, lambda f: f.update(record="1"), "record: expected a whole number"),
        (0, lambda f: f.update(more=1), "unknown fields: more"),
        (0, lambda f: f.pop("players"), "players is missing"),
        (0, lambda f: f.update(players=["a"]), "1 players: these rules are for"),
        (0, lambda f: f.update(first_dealer=3), "first_dealer 3 is no seat"),
        (0, lambda f: f["rules"].update(hook=False), "rules_hash is not the hash"),
        (0, lambda f: f["rules"].update(hook=3), "rules: hook"),
        (0, lambda f: f["rules"].pop("hook"), "rules: hook"),
        (3, lambda f: f.update(seq=4), "line 4: entry 4, where 3 is due"),
        (3, lambda f: f.update(cause="LUCK"), "cause: 'LUCK' is none of"),
        (3, lambda f: f.update(cause=1), "cause: expected text"),
        (3, lambda f: f.update(song={}), "expected one event, not bid song"),
        (3, lambda f: f.pop("bid"), "expected one event, not none"),
        (3, lambda f: f["bid"].update(seat=True), "seat: expected a whole number"),
        (3, lambda f: f["bid"].update(loud=1), "unknown fields: loud"),
        (3, lambda f: f.update(bid=3), "bid: expected an object"),
        (1, lambda f: f["dealt"].update(kind="odd"), "unknown kind of deal 'odd'"),
        (1, lambda f: f["dealt"].update(extra=False), "extra: expected true"),
        (1, lambda f: f["dealt"].update(hands=["ZZ"]), "hands: 'ZZ' is no card"),
        (1, lambda f: f["dealt"].update(hands="2C"), "hands: expected a list"),
        (2, lambda f: f["trump"].update(trump="Q"), "trump: 'Q' is no trump"),
    ],
)
def test_a_line_that_is_not_of_the_format_is_named(
    number: int, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    with pytest.raises(RecordError, match=message):
        parse_record(changed(number, change))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"seq":1}', "line 1: a record begins with its header"),
        ("[1]", "expected an object"),
        ("{", "no JSON, or cut off"),
        ("9" * 5_000, "no JSON, or cut off"),
        ("[" * 100_000, "no JSON, or cut off"),
        ('{"record":1,"record":1}', "a field stands there twice"),
    ],
)
def test_text_that_is_no_record_is_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        parse_record(text)


def test_a_record_cut_inside_a_line_is_refused() -> None:
    text = record_text(played(**SHORT), NAMES)
    with pytest.raises(RecordError, match="cut off"):
        parse_record(text[:-5])


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (1, lambda f: f["dealt"].update(dealer=0), "entry 1: the rules give"),
        (1, lambda f: f["dealt"].update(hands=["2C", "3C", "4C"]), "entry 1"),
        (1, lambda f: f["dealt"].update(hands=["2C 3C", "2C 4C", "5C 6C"]), "deal 1"),
        (1, lambda f: f["dealt"].update(hands=["2C 3C", "4C", "5C 6C"]), "deal 1"),
        (1, lambda f: f["dealt"].update(hands=[]), "entry 1|deal 1"),
        (2, lambda f: f["trump"].update(trump="NT"), "entry 2: the rules give"),
        (2, lambda f: f["trump"].pop("upcard"), "entry 2: the rules give"),
        (3, lambda f: f["bid"].update(bid=3), "entry 3: BID_OUT_OF_RANGE"),
        (3, lambda f: f["bid"].update(seat=1), "entry 3: NOT_YOUR_TURN"),
        (3, lambda f: f["bid"].update(seat=7), "entry 3: BAD_SEAT"),
        (3, lambda f: f.update(trick=f.pop("bid") and {"seat": 1}), "follows from"),
        (6, lambda f: f["played"].update(card="2C"), "entry 6: CARD_NOT_HELD"),
        (6, lambda f: f["played"].update(call="HIGH"), "entry 6: CALL_NOT_ALLOWED"),
        (9, lambda f: f["trick"].update(seat=1), "entry 9: the rules give"),
        (9, lambda f: f.update(cause="ANSWER"), "entry 9: the rules give"),
        (14, lambda f: f["scored"].update(scores=[99, 0, 0]), "entry 14: the rules"),
        (-1, lambda f: f["ended"].update(winners=[0, 1, 2]), "the rules give"),
    ],
)
def test_a_forged_record_does_not_prove_itself(
    number: int, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    before = lines()
    text = changed(number, change)
    assert text.splitlines() != before
    with pytest.raises(RecordError, match=message):
        match_of(parse_record(text))


def test_entries_after_the_end_are_refused() -> None:
    text = lines()
    extra = json.loads(text[3])
    extra["seq"] = len(text)
    with pytest.raises(RecordError, match="WRONG_PHASE"):
        match_of(parse_record("\n".join([*text, json.dumps(extra)])))
