"""Single decisions of a match on record."""

from __future__ import annotations

import pytest

import engine
from cli.moment import Moment, NoSuchMoment, deed, moment_of
from engine.presets import preset_names
from engine.record import Record, parse_record, record_text
from tests.doubles.matches import played

Prompts = dict[tuple[int, int, str], engine.View]
NAMES = {engine.Ask.BID: "bid", engine.Ask.BID_CARDS: "bid", engine.Ask.TRUMP: "trump"}


def record_of(preset: str) -> tuple[Record, Prompts]:
    """A match of house bots, and each prompt by seat, deal and name."""
    rules = engine.Rules.of(preset)
    players = min(rules.players)
    names = ("random", "lowest", *map(str, range(2, players)))
    prompts: Prompts = {}

    def note(match: engine.Match, seat: int, prompt: engine.View) -> None:
        trick = str(1 + len(prompt.plays) // players)
        prompts[seat, prompt.deal, NAMES.get(engine.Ask(prompt.ask), trick)] = prompt

    house = (["random", "lowest"] * players)[:players]
    match = played(rules, house, watch=note)
    return parse_record(record_text(match, names)), prompts


@pytest.mark.parametrize("preset", ["pagat_standard", "wizard", "blackout_jokers"])
def test_decisions_are_found_with_what_its_seat_was_asked(preset: str) -> None:
    record, prompts = record_of(preset)
    for (seat, deal, name), prompt in list(prompts.items())[::9]:
        moment = moment_of(record, str(seat), f"{deal}.{name}")
        assert moment.seen == prompt
        assert all(len(line) <= 80 for line in moment.lines())


@pytest.mark.parametrize("preset", preset_names())
def test_every_kind_of_decision_of_every_preset_can_be_shown(preset: str) -> None:
    record, prompts = record_of(preset)
    last = {(prompt.ask, prompt.call): at for at, prompt in prompts.items()}
    for seat, deal, name in [min(prompts), *last.values()]:
        moment = moment_of(record, str(seat), f"{deal}.{name}")
        assert moment.seen.ask == prompts[seat, deal, name].ask
        assert deed(moment.entry, seat)


def test_a_trump_that_was_named_is_shown_with_those_that_might_be() -> None:
    record, prompts = record_of("wizard")
    seat, deal, _ = next(at for at in prompts if at[2] == "trump")
    lines = list(moment_of(record, str(seat), f"{deal}.trump").lines())
    assert lines[-2].startswith("May name ")
    assert lines[-1].split(" named ")[-1] in lines[-2]


def test_a_joker_is_shown_with_its_call() -> None:
    record, prompts = record_of("blackout_jokers")
    (seat, deal, name), _ = next(
        (at, prompt)
        for at, prompt in prompts.items()
        if prompt.call == engine.CallRule.REQUIRED
    )
    lines = list(moment_of(record, str(seat), f"{deal}.{name}").lines())
    assert lines[-2].endswith(", and call it high or low")


def test_a_bid_that_was_amended_is_shown_with_what_it_might_become() -> None:
    def amend(match: engine.Match, seat: int, _prompt: engine.View) -> None:
        first = (seat - 1) % 3
        if match.amendable(first) and match.dealer not in (first, seat):
            match.bid(first, match.size)
            match.bid(first, 0)

    rules = engine.Rules.of("pagat_standard", {"bid_amend": "until_next_bid"})
    names = ("lowest", "greedy", "random")
    record = parse_record(record_text(played(rules, names, watch=amend), names))
    first = (record.first_dealer + 1) % 3
    for at, before, after in [("1.amend", 0, 10), ("1.amend2", 10, 0)]:
        moment = moment_of(record, str(first), at)
        assert moment.is_amendment
        assert moment.seen.bids[first] == before
        lines = list(moment.lines())
        assert lines[-2].startswith("May amend its bid to 0-10")
        assert lines[-1] == f"{names[first]} amended its bid to {after}"
    with pytest.raises(NoSuchMoment, match=r"at 1\.bid, 1\.amend, 1\.amend2, 1\.1"):
        moment_of(record, str(first), "1.amend3")


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
        ("0", "1-1", "'1-1' names no decision: write DEAL.TRICK, as 3.2, or 3.bid"),
        ("0", "99.1", "seat 0 decides nothing at 99.1: deals are 1 to"),
        ("0", "1.99", "at 1.99: there it decides at 1.bid, 1.1"),
        ("0", "1.trump", "seat 0 decides nothing at 1.trump: there it decides at"),
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
