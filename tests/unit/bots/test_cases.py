"""Positions in which other people's bots made fools of themselves."""

import pytest

from bots.expected_tricks import ExpectedTricks, expected_tricks
from bots.greedy import Greedy
from ohhell_bot import Ask, Bot, View, card_text
from tests.doubles.positions import position

both = pytest.mark.parametrize("bot", [Greedy(), ExpectedTricks()], ids=["L1", "L2"])


def played(bot: Bot, view: View) -> str:
    card = bot.play(view)
    assert isinstance(card, int)
    return card_text(card)


@both
@pytest.mark.parametrize(
    ("upcard", "hand"),
    [("2C", "AC 2H 3H 4H 5H 6H 7H"), ("AC", "KC 2H 3H 4H 5H 6H 7H")],
)
def test_a_hooked_bot_never_bids_below_its_certain_tricks(
    bot: Bot, upcard: str, hand: str
) -> None:
    view = position(
        Ask.BID, hand=hand, trump="C", upcard=upcard, legal=[0, 2, 3, 4, 5, 6, 7]
    )
    assert bot.bid(view) == 2


@both
@pytest.mark.parametrize(
    ("bid", "won", "trump", "hand", "card"),
    [
        (3, 0, "D", "KD QD 3D", "KD"),
        (4, 1, "D", "KD QD 3D", "KD"),
        (2, 0, "D", "KD QD 3D", "3D"),
        (3, 0, "D", "KC JC QS", "KC"),
    ],
)
def test_a_bot_leads_high_exactly_when_it_needs_every_trick(
    bot: Bot, bid: int, won: int, trump: str, hand: str, card: str
) -> None:
    before = "2C 3C 4C 5C" if won else ""
    view = position(
        Ask.PLAY,
        hand=hand,
        trump=trump,
        size=3 + won,
        bids=[bid, 0, 0, 0],
        tricks=[won, 0, 0, 0],
        plays=before,
        leaders=[0] * (won + 1),
    )
    assert played(bot, view) == card


@both
def test_a_bot_keeps_its_boss_trump_for_the_one_trick_it_needs(bot: Bot) -> None:
    view = position(
        Ask.PLAY,
        players=3,
        hand="AS 4D",
        trump="S",
        bids=[1, 1, 1],
        plays="9H",
        leaders=[2],
    )
    assert played(bot, view) == "4D"


@both
def test_a_bot_that_lost_its_bid_takes_tricks_from_the_others(bot: Bot) -> None:
    over = position(
        Ask.PLAY,
        hand="2C AC",
        size=3,
        bids=[0, 1, 1, 1],
        tricks=[1, 0, 0, 0],
        plays="KD 2D 3D 4D 5C 3C 4C",
        leaders=[0, 1],
    )
    assert played(bot, over) == "AC"


@both
def test_a_bot_with_its_bid_made_throws_its_highest_losing_card(bot: Bot) -> None:
    view = position(
        Ask.PLAY,
        hand="2C TC AC",
        size=3,
        bids=[0, 1, 1, 1],
        plays="QC 3C 4C",
        leaders=[1],
    )
    assert played(bot, view) == "TC"


@both
def test_the_last_to_play_wins_as_cheaply_as_it_can(bot: Bot) -> None:
    view = position(
        Ask.PLAY,
        hand="2C QC AC 2D",
        legal="2C QC AC",
        bids=[3, 1, 1, 1],
        plays="JC 3C 4C",
        leaders=[1],
    )
    assert played(bot, view) == "QC"


@both
def test_a_bot_that_cannot_win_plays_its_weakest_card(bot: Bot) -> None:
    view = position(
        Ask.PLAY,
        hand="5C TC 2D",
        legal="5C TC",
        bids=[3, 1, 1, 1],
        plays="JC 3C 4C",
        leaders=[1],
    )
    assert played(bot, view) == "5C"


def test_expected_tricks_of_one_side_card_follow_the_formula() -> None:
    # One card each, 4 seats: 50 unseen, f = 3/50. KH: one higher heart is unseen.
    view = position(Ask.BID, hand="KH", trump="S", upcard="2S")
    f = 3 / 50
    best = 1 - f
    each = f * 12 / 3
    all_follow = (1 - 2.718281828459045**-each) ** 3
    somebody = 1 - (1 - f) ** 12
    chance = best * (all_follow + (1 - all_follow) * (1 - 0.75 * somebody))
    assert expected_tricks(view) == pytest.approx(chance)


def test_expected_tricks_add_for_ruffs_only_where_there_is_a_trump() -> None:
    with_trump = position(Ask.BID, hand="2S 2C 3C", trump="S", upcard="3S")
    without = position(Ask.BID, hand="2D 2C 3C", trump="S", upcard="3S")
    assert expected_tricks(with_trump) > 0.4 + expected_tricks(without)


def test_expected_tricks_never_exceed_the_hand() -> None:
    view = position(Ask.BID, hand="AS KS QS JS TS", trump="S", upcard="2S")
    assert expected_tricks(view) == 5


def test_greedy_bids_its_aces_and_trumps() -> None:
    view = position(Ask.BID, hand="AH KH 2S 9S AC 3C", trump="S", upcard="2D")
    assert Greedy().bid(view) == 4
