from collections import Counter

import pytest

from engine.pack import pack_of
from ohhell.v1 import match_pb2
from ohhell_bot import Ask, Played, View, card_code, cards_from, cards_text
from tests.doubles.positions import match, position, prompt


def test_a_view_has_every_field_of_the_wire_under_its_name() -> None:
    view = position(Ask.PLAY, hand="2C 3C", seat=2)
    for field in match_pb2.View.DESCRIPTOR.fields:
        assert getattr(view, field.name) is not field


def test_lists_are_tuples_and_are_read_once() -> None:
    view = position(Ask.PLAY, hand="2C 3C")
    assert view.hand == cards_from("2C 3C")
    assert view.hand is view.hand


def test_a_bid_that_is_not_open_is_none_and_zero_is_a_bid() -> None:
    view = position(Ask.BID, hand="2C", bids=[0, 1, None, None])
    assert view.bids == (0, 1, None, None)
    assert view.my_bid == 0


def test_nobody_has_the_premium_unless_it_is_said() -> None:
    message = prompt(Ask.PLAY, hand="2C")
    assert View.from_wire(message, match()).premium_seat is None
    message.premium_seat = 0
    assert View.from_wire(message, match()).premium_seat == 0


def test_unseen_is_the_pack_without_hand_plays_and_upcard() -> None:
    view = position(
        Ask.PLAY,
        hand="AC 2H",
        upcard="9S",
        size=3,
        plays="3C 4C 5C 6C 7D",
        leaders=[0, 3],
    )
    gone = cards_from("AC 2H 9S 3C 4C 5C 6C 7D")
    assert view.unseen == tuple([c for c in range(1, 53) if c not in gone])


def test_unseen_counts_copies_and_what_others_show_or_laid_aside() -> None:
    view = position(
        Ask.PLAY,
        hand="2C",
        plays="3C",
        leaders=[3],
        rules={"pack": "bust78"},
        shown_cards=cards_from("AS 4C 4C"),
        shown_counts=[0, 1, 2, 0],
        bid_cards=cards_from("KS"),
    )
    expected = Counter(pack_of("bust78").codes())
    expected.subtract(cards_from("2C 3C AS 4C 4C KS"))
    assert Counter(view.unseen) == +expected


def test_the_trick_names_who_played_what_around_the_table() -> None:
    view = position(
        Ask.PLAY,
        hand="AC",
        size=2,
        plays="2C 3C 4C 5C 9D TD",
        leaders=[0, 3],
        seat=1,
        tricks=[0, 0, 0, 1],
    )
    assert view.trick == (Played(3, card_code("9D")), Played(0, card_code("TD")))
    assert view.led_suit == 2
    assert view.position == 2
    assert not view.plays_last
    assert view.winner_so_far == Played(0, card_code("TD"))
    assert view.tricks_left == 1


def test_before_a_lead_there_is_no_trick() -> None:
    view = position(Ask.PLAY, hand="AC")
    assert view.trick == ()
    assert view.led_suit == 0
    assert view.winner_so_far is None
    assert view.wins(card_code("AC"))


def test_a_seat_bids_in_the_place_counted_from_the_dealers_left() -> None:
    assert position(Ask.BID, hand="AC", seat=0).position == 0
    assert position(Ask.BID, hand="AC", seat=3).position == 3


@pytest.mark.parametrize(
    ("trump", "plays", "hand", "winning"),
    [
        ("NT", "9D", "TD 8D AS", "TD"),
        ("S", "9D", "TD 8D 2S AC", "TD 2S"),
        ("S", "9D 3S", "TD 2S 4S", "4S"),
        ("?", "9D", "TD 2S", "TD"),
    ],
)
def test_a_card_wins_by_suit_rank_and_trump(
    trump: str, plays: str, hand: str, winning: str
) -> None:
    view = position(Ask.PLAY, hand=hand, trump=trump, plays=plays, leaders=[2])
    won = [card for card in view.hand if view.wins(card)]
    assert cards_text(won) == winning


@pytest.mark.parametrize(("which", "wins"), [("last", True), ("first", False)])
def test_of_twins_the_rules_say_which_is_higher(which: str, wins: bool) -> None:
    view = position(
        Ask.PLAY,
        hand="5C",
        plays="5C",
        leaders=[3],
        rules={"pack": "bust65", "duplicate_winner": which},
    )
    assert view.wins(card_code("5C")) is wins


def test_the_first_wizard_wins_and_a_led_jester_sets_no_suit() -> None:
    rules = {"pack": "wiz60", "joker_mode": "wizard"}
    led = position(Ask.PLAY, hand="W2 2C F2", plays="F1 3D", leaders=[2], rules=rules)
    assert led.led_suit == 2
    assert [led.wins(card) for card in led.hand] == [True, False, False]
    taken = position(Ask.PLAY, hand="W2 2C", plays="W1", leaders=[3], rules=rules)
    assert taken.led_suit == 0
    assert [taken.wins(card) for card in taken.hand] == [False, False]
    fools = position(Ask.PLAY, hand="F2 2C", plays="F1", leaders=[3], rules=rules)
    assert [fools.wins(card) for card in fools.hand] == [False, True]


def test_a_joker_wins_as_it_is_called() -> None:
    rules = {"pack": "atk50", "joker_mode": "high_low"}
    free = position(
        Ask.PLAY, hand="X1", plays="AS", leaders=[3], trump="S", call=2, rules=rules
    )
    assert [free.wins(card_code("X1"), call) for call in (1, 2)] == [True, False]
    fixed = position(
        Ask.PLAY, hand="X1", plays="AS", leaders=[3], trump="S", call=4, rules=rules
    )
    assert not fixed.wins(card_code("X1"), 1)
    beaten = position(
        Ask.PLAY,
        hand="AS",
        plays="X1",
        leaders=[3],
        trump="S",
        joker_calls=[1],
        rules=rules,
    )
    assert not beaten.wins(card_code("AS"))


def test_spanish_cards_rank_in_the_spanish_order() -> None:
    view = position(
        Ask.PLAY, hand="3C AC", plays="RC", leaders=[3], rules={"pack": "spanish40"}
    )
    assert [view.wins(card) for card in view.hand] == [True, True]
    assert not position(
        Ask.PLAY, hand="7C", plays="SC", leaders=[3], rules={"pack": "spanish40"}
    ).wins(card_code("7C"))


def test_the_text_of_a_view_tells_the_position() -> None:
    view = position(
        Ask.PLAY, hand="QH TD", legal="QH", plays="9H", leaders=[3], trump="S"
    )
    text = str(view)
    assert "hand QH TD" in text
    assert "legal QH" in text
    assert "trick 3:9H" in text
    assert "trump spades" in text


def test_chance_depends_on_seed_and_decision_alone() -> None:
    one, again = (position(Ask.BID, hand=hand) for hand in ("2C", "3C"))
    assert one.rng.word() == again.rng.word()
