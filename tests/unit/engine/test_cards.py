import pytest

from engine.cards import (
    LAST_CODE,
    NO_TRUMP,
    card_code,
    card_rank,
    card_suit,
    card_text,
    cards_from,
    cards_text,
    is_card,
    suit_code,
    trump_code,
    trump_text,
)
from engine.errors import NotationError

FIXED_FOR_EVER = {
    "2C": 1,
    "AC": 13,
    "2D": 14,
    "2H": 27,
    "TH": 35,
    "AS": 52,
    "X1": 53,
    "X2": 54,
    "W1": 55,
    "W4": 58,
    "F1": 59,
    "F4": 62,
    "SC": 63,
    "CC": 64,
    "RC": 65,
    "SD": 66,
    "CS": 73,
    "RS": 74,
}


@pytest.mark.parametrize(("text", "code"), FIXED_FOR_EVER.items())
def test_codes_on_the_wire_never_change(text: str, code: int) -> None:
    assert card_code(text) == code


def test_every_code_has_a_text_of_its_own_and_back() -> None:
    texts = [card_text(code) for code in range(1, LAST_CODE + 1)]
    assert len(set(texts)) == LAST_CODE
    assert {len(text) for text in texts} == {2}
    assert [card_code(text) for text in texts] == list(range(1, LAST_CODE + 1))


def test_the_sota_of_clubs_is_not_the_caballo_of_spades() -> None:
    assert card_suit(card_code("SC")) == suit_code("C")
    assert card_suit(card_code("CS")) == suit_code("S")


def test_special_cards_have_no_rank_and_only_jokers_have_a_suit() -> None:
    special = cards_from("X1 X2 W1 W2 W3 W4 F1 F2 F3 F4")
    assert {card_rank(code) for code in special} == {0}
    assert [card_suit(code) for code in special] == [5, 5] + [0] * 8


def test_an_ace_ranks_above_a_king_and_ten_above_nine() -> None:
    ranks = [card_rank(code) for code in cards_from("9H TH KH AH")]
    assert ranks == [9, 10, 13, 14]


@pytest.mark.parametrize("text", ["", "1H", "10H", "th", "HT", "X3", "F0", "NT", "Q "])
def test_other_text_is_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(NotationError, match="is no card: a rank"):
        card_code(text)


@pytest.mark.parametrize("code", [0, -1, 75])
def test_other_codes_are_no_cards(code: int) -> None:
    assert not is_card(code)
    with pytest.raises(NotationError, match=r"codes are 1\.\.74"):
        card_text(code)


def test_lists_of_cards_keep_copies_and_order() -> None:
    assert cards_text(cards_from("4C 4C 9D")) == "4C 4C 9D"


def test_trumps_have_letters() -> None:
    assert [trump_text(trump) for trump in range(7)] == [*"?CDHSX", "NT"]
    assert trump_code("NT") == NO_TRUMP
    with pytest.raises(NotationError):
        trump_code("Z")
    with pytest.raises(NotationError):
        suit_code("X")
