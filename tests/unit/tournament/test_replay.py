"""Replays and tallies of matches that house bots played on the bare engine."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from engine import Match, Rules
from engine.events import CardPlayed, Cause, Entry
from engine.presets import preset_names
from engine.record import parse_record, record_text
from tests.doubles.matches import played
from tournament.replay import NoSuchMatch, read_match, transcript
from tournament.tallying import UnfinishedMatch, copy_result

NAMES = ("greedy", "lowest", "random", "expected-tricks")
SHORT = {"deal_shape": "up", "deal_low": 1, "deal_high": 3}


@pytest.fixture(scope="module")
def match() -> Match:
    rules = Rules.of("pagat_standard", SHORT, players=4).without_amending()
    return played(rules, NAMES)


def test_a_replay_tells_every_deal_bid_card_and_score(match: Match) -> None:
    lines = list(transcript(parse_record(record_text(match, NAMES))))
    text = "\n".join(lines)
    assert [line for line in lines if line.startswith("Deal ")] == [
        line for line in lines if line.startswith(("Deal 1", "Deal 2", "Deal 3"))
    ]
    assert text.count(" bids ") == 12
    assert text.count(" -> ") == 6
    assert match.result is not None
    for name, total in zip(NAMES, match.result.totals, strict=True):
        assert any(name in line and line.endswith(f"= {total}") for line in lines)
    assert "*" not in text


@pytest.mark.parametrize("preset", ["pagat_standard", "up_down", "wizard"])
@pytest.mark.parametrize("alike", [False, True])
def test_a_replay_stays_within_80_columns_for_the_longest_names(
    preset: str, *, alike: bool
) -> None:
    rules = Rules.of(preset)
    seats = max(rules.players)
    names = [("x" * 60 + str(i)) if alike else chr(97 + i) * 63 for i in range(seats)]
    match = played(rules, [*NAMES, *NAMES][:seats])
    lines = list(transcript(parse_record(record_text(match, names))))
    assert max(map(len, lines)) <= 80
    heads = lines[: lines.index("")]
    assert "".join(heads).count(names[0]) == 1
    assert len({line.split(" is ")[0] for line in heads if " is " in line}) == seats


def test_what_the_fallback_player_did_is_marked(match: Match) -> None:
    record = parse_record(record_text(match, NAMES))
    entries = tuple(
        entry._replace(cause=Cause.FALLBACK)
        if isinstance(entry.event, CardPlayed) and entry.event.seat == 2
        else entry
        for entry in record.entries
    )
    text = "\n".join(transcript(record._replace(entries=entries)))
    assert text.count("*") == 6 + 1
    assert text.endswith("* played for a seat whose bot did not act")


@pytest.mark.parametrize("preset", preset_names())
def test_every_entry_of_every_preset_has_words(preset: str) -> None:
    rules = Rules.of(preset)
    names = [*NAMES, *NAMES][: max(n for n in rules.players if n <= 5)]
    match = played(rules, names)
    lines = list(transcript(parse_record(record_text(match, names))))
    assert sum(line.startswith("Deal ") for line in lines) == match.deal_no


def test_a_match_that_is_not_there_is_named(tmp_path: Path, match: Match) -> None:
    file = tmp_path / "0.jsonl.gz"
    with pytest.raises(NoSuchMatch, match="that block is not committed"):
        read_match(file, 0)
    file.write_bytes(gzip.compress((record_text(match, NAMES) + "\n").encode()))
    assert read_match(file, 0).players == NAMES
    with pytest.raises(NoSuchMatch, match="has copies 0 to 0, not 1"):
        read_match(file, 1)
    file.write_bytes(b"not gzip")
    with pytest.raises(NoSuchMatch, match="cannot be read"):
        read_match(file, 0)


def test_a_match_is_summed_up_by_seat(match: Match) -> None:
    result = copy_result(
        match.entries(), seats=(3, 1, 0, 2), faults=[{}, {"ILLEGAL": 2}, {}, {}]
    )
    assert match.result is not None
    assert result.totals == match.result.totals
    assert result.deals == 3
    assert result.seats == (3, 1, 0, 2)
    assert [list(faults) for faults in result.faults] == [[], [("ILLEGAL", 2)], [], []]
    assert not result.tainted
    for seat, rows in enumerate(result.tallies):
        assert sum(row.points for row in rows) == match.result.totals[seat]
        assert sum(row.deals for row in rows) == 3
    assert sum(row.tricks for rows in result.tallies for row in rows) == 6


def test_actions_of_the_fallback_player_are_counted(match: Match) -> None:
    def marked(entry: Entry) -> Entry:
        seat = getattr(entry.event, "seat", None)
        return entry._replace(cause=Cause.FALLBACK) if seat == 1 else entry

    entries = [marked(entry) for entry in match.entries()]
    result = copy_result(entries, seats=(0, 1, 2, 3), faults=[{}] * 4)
    assert result.fallbacks == (0, 3 + 6, 0, 0)
    assert result.tainted


def test_a_match_under_way_is_not_summed_up(match: Match) -> None:
    with pytest.raises(UnfinishedMatch):
        copy_result(match.entries()[:-1], seats=(0, 1, 2, 3), faults=[{}] * 4)
