"""Positions, and what the bot makes of them:  python -m unittest"""

import unittest
from types import SimpleNamespace

from bot import MyBot
from ohhell_bot import Ask, BidState, Match, Rules, Trump, View, cards_from

PLAYERS = 3
RULES = Rules(preset="", players=PLAYERS, pack=tuple(range(1, 53)))


def position(ask, hand, *, legal, bids=(0, 0, 0), plays="", leaders=()):
    """What seat 0 sees, with hearts as trump."""
    seen = SimpleNamespace(
        ask=ask,
        hand=cards_from(hand),
        legal_bids=legal if ask == Ask.BID else (),
        legal_cards=cards_from(legal) if ask == Ask.PLAY else (),
        trump=Trump.HEARTS,
        bids=bids,
        bid_states=(BidState.OPEN,) * PLAYERS,
        tricks=(0,) * PLAYERS,
        plays=cards_from(plays),
        leaders=leaders,
        joker_calls=(),
        call=0,
    )
    return View(seen, Match(seat=0, rules=RULES, bot_seed=bytes(16)))


class TestMyBot(unittest.TestCase):
    def test_it_bids_what_is_likely_or_the_nearest_that_is_legal(self):
        hand = "AS KD 9H 2H 3C"
        self.assertEqual(MyBot().bid(position(Ask.BID, hand, legal=(0, 1, 2, 3))), 3)
        self.assertEqual(MyBot().bid(position(Ask.BID, hand, legal=(0, 1, 2, 5))), 2)

    def test_it_takes_a_trick_while_it_needs_one_and_then_ducks(self):
        for bid, wanted in ((1, "AS"), (0, "2S")):
            view = position(
                Ask.PLAY,
                "2S TS AS",
                legal="2S TS AS",
                bids=(bid, 0, 0),
                plays="9S",
                leaders=(2,),
            )
            self.assertEqual(MyBot().play(view), cards_from(wanted)[0])


if __name__ == "__main__":
    unittest.main()
