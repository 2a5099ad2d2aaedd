"""Single decisions of a match on record."""

from __future__ import annotations

import pytest

import engine
from cli.moment import Moment, NoSuchMoment, deed, moment_of
from engine.presets import preset_names
from engine.record import Record, parse_record, record_text
from tests.doubles.matches import played


def record_of(preset: str) -> tuple[Record, dict[tuple[int, int, int], engine.View]]:
    """A match of house bots, and each prompt by seat, deal and trick."""
    rules = engine.Rules.of(preset)
    players = min(rules.players)
    names = ("random", "lowest", *map(str, range(2, players)))
    prompts: dict[tuple[int, int, int], engine.View] = {}

    def note(match: engine.Match, seat: int, prompt: engine.View) -> None:
        trick = 1 + len(prompt.plays) // players
        bids = prompt.ask in (engine.Ask.BID, engine.Ask.BID_CARDS)
        if bids or prompt.ask == engine.Ask.PLAY:
            prompts[seat, prompt.deal, 0 if bids else trick] = prompt

    house = (["random", "lowest"] * players)[:players]
    match = played(rules, house, watch=note)
    return parse_record(record_text(match, names)), prompts


@pytest.mark.parametrize("preset", ["pagat_standard", "wizard", "blackout_jokers"])
def test_decisions_are_found_with_what_its_seat_was_asked(preset: str) -> None:
    record, prompts = record_of(preset)
    for (seat, deal, trick), prompt in list(prompts.items())[::9]:
        moment = moment_of(record, str(seat), f"{deal}.{trick}")
        assert moment.seen == prompt
        assert all(len(line) <= 80 for line in moment.lines())


@pytest.mark.parametrize("preset", preset_names())
def test_the_first_and_last_decision_of_every_preset_can_be_shown(preset: str) -> None:
    record, prompts = record_of(preset)
    for seat, deal, trick in [min(prompts), max(prompts)]:
        moment = moment_of(record, str(seat), f"{deal}.{trick}")
        assert moment.seen.ask != engine.Ask.NOTHING
        assert deed(moment.entry, seat)


def test_a_bot_is_named_by_name_or_seat_and_its_bid_by_the_deal_alone() -> None:
    record, _ = record_of("pagat_standard")
    by_name = moment_of(record, "lowest", "3")
    assert by_name.seat == 1
    assert list(by_name.lines()) == list(moment_of(record, "1", "3.0").lines())
    assert list(by_name.lines())[-1].startswith("lowest bid ")


@pytest.mark.parametrize(
    ("seat", "at", "said"),
    [
        ("nobody", "1.1", "nobody has no seat here; the seats are 0 random, 1 lowest"),
        ("0", "1-1", "'1-1' is not DEAL.TRICK: write 3.2, or 3 for the bid"),
        ("0", "99.1", "seat 0 decides nothing at 99.1: there are deals 1 to"),
        ("0", "1.99", "seat 0 decides nothing at 1.99"),
    ],
)
def test_what_is_not_there_is_answered_with_what_is(
    seat: str, at: str, said: str
) -> None:
    record, _ = record_of("pagat_standard")
    with pytest.raises(NoSuchMoment, match=said):
        moment_of(record, seat, at)


def test_a_decision_of_the_fallback_player_is_told_as_such() -> None:
    record, _ = record_of("pagat_standard")
    moment = moment_of(record, "0", "1.1")
    by_fallback = moment.entry._replace(cause=engine.Cause.FALLBACK)
    told = Moment(record, 0, moment.match, by_fallback)
    assert list(told.lines())[-1].startswith("The fallback player played ")
