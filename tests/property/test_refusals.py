"""Every command: what is legal is accepted, all else refused with its code.

Which is which, a second statement of the rules says: `tests/doubles/referee.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import event, given

from engine.bidding import Claim
from engine.errors import Code, Refusal
from engine.match import Match
from engine.phase import Phase
from engine.replay import replay
from engine.rules import Rules
from engine.trick import JokerCall
from tests.doubles.referee import Referee
from tests.property.test_matches import (
    Sent,
    decks_of,
    seeds,
    send,
    started,
    step,
    tables,
)

JUNK = (None, "1", True, 1.0)
MOST_ACCEPTED = 10


def judged(referee: Referee, command: Sent) -> Code | None:
    name, seat, value, extra = command
    match name:
        case "bid":
            return referee.bid(seat, value)
        case "play":
            return referee.play(seat, value, extra)
        case "trump":
            return referee.choose_trump(seat, value)
        case _:
            assert isinstance(value, tuple)
            return referee.lay(seat, value, extra)


def commands(match: Match, seat: int, rng: Random) -> Iterator[Sent]:
    """All numbers, suits and cards that there are, and some that there are not."""
    for amount in (*range(-1, match.size + 2), *JUNK):
        yield Sent("bid", seat, amount)
    for suit in (*range(-1, 8), *JUNK):
        yield Sent("trump", seat, suit)
    hand = match.hands[seat % match.players]
    calls = (None, JokerCall.NONE, JokerCall.HIGH, JokerCall.LOW, "high", 1)
    for card in (*match.shared.pack.codes(), None, 0, 75, -1):
        for call in calls if card in (*hand, None) else rng.sample(calls, 1):
            yield Sent("play", seat, card, call)
    codes = [*match.shared.pack.codes()]
    yield Sent("lay", seat, (*hand[:3],))
    yield Sent("lay", seat, (*hand[:3],), "reveal")
    for cards in (hand[:3], hand[:2], hand[:1] * 3, rng.sample(codes, 3), []):
        yield Sent("lay", seat, (*cards,), rng.choice([None, *Claim, 2, "reveal"]))


def again(match: Match) -> Match:
    """The same match, to try a command on."""
    twin = replay(
        match.rules,
        match.players,
        first_dealer=match.first_dealer,
        entries=match.entries(),
        decks=decks_of(match),
    )
    twin.restore_sealed(match.sealed_bids())
    return twin


def judge(match: Match, rng: Random) -> set[Code]:
    """Try every command where the match stands; return the codes that came up."""
    before = match.digest()
    accepted = []
    codes = set()
    for seat in range(-1, match.players + 1):
        for command in commands(match, seat, rng):
            code = judged(Referee(match), command)
            if code is None:
                accepted.append(command)
                continue
            codes.add(code)
            with pytest.raises(Refusal) as refused:
                send(match, command)
            assert (refused.value.code, command) == (code, command)
        assert match.digest() == before
    for command in rng.sample(accepted, min(MOST_ACCEPTED, len(accepted))):
        twin = again(match)
        assert twin.digest() == before
        send(twin, command)
        assert twin.digest() != before or command.name == "bid"
    if match.phase is not Phase.OVER:
        assert {command.seat for command in accepted} >= {*match.to_act()}
    return codes


@given(tables(), seeds, seeds)
def test_a_command_is_accepted_or_refused_as_the_text_of_the_rules_says(
    table: tuple[Rules, int], seed: int, choices: int
) -> None:
    rng = Random(choices)  # noqa: S311 - choices in a test
    match = started(table, seed)
    for _ in range(rng.randrange(rng.choice([3, 12, 40]))):
        if match.phase is not Phase.OVER:
            step(match, rng)
    for code in judge(match, rng):
        event(code)


# Together they have every reason to refuse that there is.
GAMES = (
    ("pagat_standard", 3, {"deal_list": [2] * 6}),
    ("wizard", 3, {"deal_list": [1] * 20}),
    ("ninety_nine", 3, {"deal_list": [3, 3]}),
    ("boerenbridge", 4, {"deal_list": [2] * 4, "no_bid_at_score": 1}),
    ("blackout_jokers", 5, {"deal_list": [10] * 4, "must_trump": True}),
    ("la_pocha", 4, {"deal_list": [9] * 20, "must_overtrump": True}),
    ("pagat_standard", 4, {"deal_list": [3], "deal_kinds": {"1": "blind_in_order"}}),
    ("pagat_standard", 3, {"deal_list": [1, 1], "forehead": "all_one_card"}),
)
OF_TABLES = {Code.BAD_CONFIG, Code.BAD_PLAYER_COUNT}


def due(match: Match) -> set[Code | None]:
    """What is said about the cards of the seat on turn, and about bids of all seats."""
    referee = Referee(match)
    (on_turn, *_) = match.to_act()
    return {
        *(referee.play(on_turn, card, None) for card in match.hands[on_turn]),
        *(referee.play(on_turn, card, JokerCall.LOW) for card in match.hands[on_turn]),
        *(referee.bid(seat, match.size) for seat in range(match.players)),
    }


def test_every_reason_to_refuse_a_command_comes_up_and_is_the_right_one() -> None:
    rng = Random(1)  # noqa: S311 - choices in a test
    codes: set[Code] = set()
    for preset, players, overrides in GAMES:
        rules = Rules.of(preset, {"deal_shape": "list", **overrides}, players=players)
        match = started((rules, players), seed=1)
        while match.phase is not Phase.OVER:
            is_rare = match.phase is Phase.TRUMP_CHOICE or due(match) - codes - {None}
            if is_rare or rng.randrange(match.size * players) < 1:
                codes |= judge(match, rng)
            step(match, rng)
    assert codes == {*Code} - OF_TABLES
