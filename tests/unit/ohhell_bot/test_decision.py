from collections.abc import Sequence

import pytest

from ohhell_bot import Ask, BadAnswer, Bot, Claim, JokerCall, Lay, Play, View, card_code
from ohhell_bot.decision import Bid, ChooseTrump, ask, decision, no_answer, to_wire
from tests.doubles.positions import position


class Plain(Bot):
    def bid(self, view: View) -> int:
        return 0

    def play(self, view: View) -> int:
        return view.legal_cards[-1]


def test_by_default_the_longest_suit_is_trump_and_the_first_of_equals() -> None:
    view = position(Ask.TRUMP, hand="2H 3H 2S 3S 2C F1", legal_suits=[1, 2, 3, 4])
    assert decision(view, ask(Plain(), view)) == ChooseTrump(3)


def test_by_default_the_three_lowest_cards_are_laid() -> None:
    view = position(Ask.BID_CARDS, hand="AC 7C 6D KH 6H QS")
    laid = decision(view, ask(Plain(), view))
    assert laid == Lay(tuple(map(card_code, ("6D", "6H", "7C"))), Claim.NONE)


@pytest.mark.parametrize("answer", [None, "3", 2.0, True, -1, 2**32, [1], {}], ids=repr)
def test_what_is_no_whole_number_is_no_bid(answer: object) -> None:
    view = position(Ask.BID, hand="2C 3C")
    with pytest.raises(BadAnswer, match="bid returned"):
        decision(view, answer)


def test_whether_a_bid_is_legal_is_not_the_librarys_matter() -> None:
    assert decision(position(Ask.BID, hand="2C"), 99) == Bid(99)


class Like:
    """As numbers of other libraries are."""

    def __index__(self) -> int:
        return 1


def test_anything_that_counts_as_a_whole_number_is_one() -> None:
    assert decision(position(Ask.BID, hand="2C"), Like()) == Bid(1)


@pytest.mark.parametrize("answer", [75, "QH", None], ids=repr)
def test_what_is_no_card_cannot_be_played(answer: object) -> None:
    with pytest.raises(BadAnswer, match="play returned"):
        decision(position(Ask.PLAY, hand="2C"), answer)


def test_a_call_is_added_only_to_a_joker_that_needs_one() -> None:
    free = position(Ask.PLAY, hand="X1 2C", call=1)
    needed = position(Ask.PLAY, hand="X1 2C", call=2)
    joker, two = card_code("X1"), card_code("2C")
    assert decision(free, joker) == Play(joker)
    assert decision(needed, joker) == Play(joker, JokerCall.LOW)
    assert decision(needed, two) == Play(two)
    assert decision(needed, Play(joker, JokerCall.HIGH)) == Play(joker, JokerCall.HIGH)


@pytest.mark.parametrize("answer", [None, 3, "2C3C4C"], ids=repr)
def test_what_is_no_list_of_cards_is_no_bid(answer: object) -> None:
    with pytest.raises(BadAnswer, match="lay returned"):
        decision(position(Ask.BID_CARDS, hand="2C 3C 4C"), answer)


@pytest.mark.parametrize("cards", [(1, 2, 3), [3, 2, 1]])
def test_bid_cards_and_claim_go_out_as_they_are(cards: Sequence[int]) -> None:
    view = position(Ask.BID_CARDS, hand="2C 3C 4C")
    answer = to_wire(view, decision(view, Lay(cards, Claim.REVEAL))).answer
    assert list(answer.bid_cards.cards) == list(cards)
    assert int(answer.bid_cards.claim) == Claim.REVEAL


def test_a_question_of_a_later_revision_has_no_answer() -> None:
    view = position(Ask.BID, hand="2C")
    view.__dict__["ask"] = 9
    with pytest.raises(BadAnswer, match="kind that this library does not know: 9"):
        ask(Plain(), view)


def test_a_note_is_cut_to_what_the_wire_allows() -> None:
    note = no_answer(position(Ask.BID, hand="2C"), "ä" * 200).answer.note
    assert note == "ä" * 128


def test_a_note_may_hold_what_no_text_may() -> None:
    note = no_answer(position(Ask.BID, hand="2C"), "half \ud800 of one").answer.note
    assert note == "half ? of one"
