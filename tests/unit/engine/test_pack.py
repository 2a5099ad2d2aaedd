import pytest

from engine.cards import (
    JOKER_SUIT,
    NO_TRUMP,
    TRUMP_UNKNOWN,
    card_code,
    cards_from,
    cards_text,
    suit_code,
)
from engine.errors import NotationError
from engine.pack import BIT, MAX_KINDS, Pack, PackName, kinds_in, pack_of

SIZES = {
    "std52": 52,
    "std54": 54,
    "atk50": 50,
    "top24": 24,
    "top32": 32,
    "top36": 36,
    "top40": 40,
    "top48": 48,
    "bust39": 39,
    "bust65": 65,
    "bust78": 78,
    "spanish40": 40,
    "wiz60": 60,
}
every_pack = pytest.mark.parametrize(
    "pack", [pack_of(name) for name in PackName], ids=str
)


def stronger(pack: Pack, text: str) -> str:
    return cards_text(pack.cards(pack.higher[pack.kind[card_code(text)]]))


def test_every_pack_has_its_size() -> None:
    assert {name.value: pack_of(name).size for name in PackName} == SIZES


@every_pack
def test_masks_fit_a_machine_word_and_part_the_pack(pack: Pack) -> None:
    assert len(pack.kinds) <= MAX_KINDS
    parts = [*pack.suit_mask[1:6], pack.jester_mask, pack.wizard_mask]
    assert sum(parts) == pack.all_mask == 2 ** len(pack.kinds) - 1
    assert pack.suited_mask | pack.joker_mask == sum(pack.suit_mask[1:6])


@every_pack
def test_kinds_stand_by_suit_and_strength(pack: Pack) -> None:
    for k, code in enumerate(pack.kinds):
        assert pack.kind[code] == k
        same_suit = pack.suit_mask[pack.suit[k]]
        above = [other for other in kinds_in(same_suit) if other > k]
        expected = [] if pack.suit[k] in (0, JOKER_SUIT) else above
        assert list(kinds_in(pack.higher[k])) == expected


@every_pack
def test_a_shuffle_starts_from_the_pack_by_code(pack: Pack) -> None:
    codes = pack.codes()
    assert len(codes) == pack.size
    assert list(codes) == sorted(codes)
    held, twice = pack.hand(codes)
    assert (held, twice) == (pack.all_mask, pack.twice_mask)
    assert sorted(pack.cards(held, twice)) == list(codes)


def test_unknown_and_no_trump_are_suits_without_cards() -> None:
    pack = pack_of("std54")
    assert pack.suit_mask[TRUMP_UNKNOWN] == pack.suit_mask[NO_TRUMP] == 0


def test_the_low_block_takes_clubs_before_diamonds() -> None:
    low = "2C 3C 4C 5C 2D 3D 4D 2H 3H 4H 2S 3S 4S"
    bust65 = pack_of("bust65")
    assert cards_text(bust65.cards(bust65.twice_mask)) == low
    bust39 = pack_of("bust39")
    assert not set(cards_from(low)) & set(bust39.kinds)
    bust78 = pack_of("bust78")
    assert [bust78.copies[bust78.kind[card_code(c)]] for c in ("8C", "8D", "8H")] == [
        2,
        2,
        1,
    ]


def test_the_spanish_three_is_stronger_than_all_but_the_ace() -> None:
    pack = pack_of("spanish40")
    assert stronger(pack, "RC") == "3C AC"
    assert stronger(pack, "7S") == "SS CS RS 3S AS"
    assert stronger(pack, "AH") == ""


def test_ten_is_stronger_than_nine_and_of_two_jokers_none() -> None:
    pack = pack_of("std54")
    assert stronger(pack, "9H") == "TH JH QH KH AH"
    assert stronger(pack, "X1") == stronger(pack, "X2") == ""


def test_a_hand_tells_copies_and_refuses_more_than_there_are() -> None:
    pack = pack_of("bust65")
    held, twice = pack.hand(cards_from("4C 9D 4C"))
    assert cards_text(pack.cards(held, twice)) == "4C 4C 9D"
    with pytest.raises(NotationError, match="too many 9D"):
        pack.hand(cards_from("9D 9D"))
    with pytest.raises(NotationError, match="too many 4C"):
        pack.hand(cards_from("4C 4C 4C"))
    with pytest.raises(NotationError, match="X1 is not in the pack bust65"):
        pack.hand(cards_from("X1"))


def test_only_some_packs_have_special_cards() -> None:
    special = {name.value for name in PackName if pack_of(name).has_special_cards}
    assert special == {"std54", "atk50", "wiz60"}


def test_bits_are_powers_of_two() -> None:
    assert [bit.bit_length() for bit in BIT] == list(range(1, MAX_KINDS + 1))
    assert {bit.bit_count() for bit in BIT} == {1}


def test_an_unknown_pack_is_refused_with_the_known_ones() -> None:
    with pytest.raises(NotationError, match="std52"):
        pack_of("std53")


def test_suits_are_counted_from_clubs() -> None:
    assert [suit_code(letter) for letter in "CDHS"] == [1, 2, 3, 4]
