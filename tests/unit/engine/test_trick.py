"""Who takes a trick, against the rule's own words on every trick of a small pack."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from engine.cards import (
    JOKERS,
    NO_TRUMP,
    WIZARDS,
    card_rank,
    card_suit,
    cards_from,
    trump_code,
)
from engine.pack import pack_of
from engine.parameters import DuplicateWinner, JokerMode
from engine.rules import Rules
from engine.trick import JokerCall, TrickTables, on_table, trick_tables

TRUMPS = [*range(1, 5), NO_TRUMP]


def winner(
    cards: str,
    trump: str,
    tables: TrickTables | None = None,
    calls: dict[str, JokerCall] | None = None,
) -> int:
    tables = tables or trick_tables(Rules.of("pagat_standard"), pack_of("std52"))
    plays = [
        (tables.pack.kind[code], (calls or {}).get(text, JokerCall.NONE))
        for code, text in zip(cards_from(cards), cards.split(), strict=True)
    ]
    return on_table(tables, trump_code(trump), plays).winner


def highest_trump_else_highest_of_the_led_suit(cards: list[int], trump: int) -> int:
    trumps = [card for card in cards if card_suit(card) == trump]
    followed = [card for card in cards if card_suit(card) == card_suit(cards[0])]
    return cards.index(max(trumps or followed, key=card_rank))


@pytest.mark.parametrize("trump", TRUMPS)
def test_every_trick_of_four_from_nine_cards_goes_to_the_right_card(
    trump: int,
) -> None:
    tables = trick_tables(Rules.of("pagat_standard"), pack_of("std52"))
    nine = cards_from("9C TC AC 9D TD AD 9H TH AH")
    for trick in permutations(nine, 4):
        plays = [(tables.pack.kind[card], JokerCall.NONE) for card in trick]
        got = on_table(tables, trump, plays).winner
        assert got == highest_trump_else_highest_of_the_led_suit([*trick], trump)


@pytest.mark.parametrize("order", [*permutations(["4H", "2S", "AH"])])
def test_a_trump_wins_in_every_order(order: tuple[str, ...]) -> None:
    assert order[winner(" ".join(order), "S")] == "2S"


def test_a_low_trump_beats_every_card_of_the_led_suit() -> None:
    assert winner("8H 2S 9H", "S") == 1


def test_without_trump_only_the_led_suit_wins_and_ten_beats_nine() -> None:
    assert winner("JC KD", "NT") == 0
    assert winner("9S TS", "NT") == 1


def test_the_spanish_three_beats_all_but_the_ace() -> None:
    tables = trick_tables(Rules.of("la_pocha"), pack_of("spanish40"))
    assert winner("RC 3C SC 7C", "NT", tables) == 1
    assert winner("3C AC", "NT", tables) == 1


@pytest.mark.parametrize(
    ("duplicates", "place"), [(DuplicateWinner.LAST, 2), (DuplicateWinner.FIRST, 1)]
)
def test_of_identical_cards_the_rules_choose(
    duplicates: DuplicateWinner, place: int
) -> None:
    tables = TrickTables(pack_of("bust78"), JokerMode.NONE, duplicates)
    assert winner("3C 4C 4C 2C", "H", tables) == place
    assert winner("AC 4H 4H 2C", "H", tables) == place


SUIT = TrickTables(pack_of("std54"), JokerMode.SUIT, DuplicateWinner.LAST)


def test_a_led_joker_wins_unless_it_is_trumped() -> None:
    assert winner("X1 AS X2 KS", "NT", SUIT) == 0
    assert winner("X1 AS 2H X2", "H", SUIT) == 2


def test_a_joker_on_another_suit_loses_unless_jokers_are_trump() -> None:
    assert winner("2S X1 3S", "H", SUIT) == 2
    assert winner("2S X1 AS", "X", SUIT) == 1


HIGH_LOW = TrickTables(pack_of("atk50"), JokerMode.HIGH_LOW, DuplicateWinner.LAST)


@pytest.mark.parametrize("order", [*permutations(["X1", "X2", "AH"])])
def test_a_high_joker_wins_and_a_low_one_loses_in_every_order(
    order: tuple[str, ...],
) -> None:
    calls = {"X1": JokerCall.LOW, "X2": JokerCall.HIGH}
    assert order[winner(" ".join(order), "H", HIGH_LOW, calls)] == "X2"


def test_the_first_suited_card_after_a_led_low_joker_sets_the_suit() -> None:
    calls = {"X1": JokerCall.LOW}
    assert winner("X1 3D AS 4D", "H", HIGH_LOW, calls) == 3
    assert winner("X1 3D AS 3H", "H", HIGH_LOW, calls) == 3


def test_a_suit_is_set_even_after_a_high_joker() -> None:
    kinds = HIGH_LOW.pack.kind
    plays = [
        (kinds[code], call)
        for code, call in zip(
            cards_from("X1 3D"), (JokerCall.HIGH, JokerCall.NONE), strict=True
        )
    ]
    assert on_table(HIGH_LOW, NO_TRUMP, plays).suit == trump_code("D")


WIZARD = TrickTables(pack_of("wiz60"), JokerMode.WIZARD, DuplicateWinner.LAST)


def wizard_winner(cards: list[int], trump: int) -> int:
    """First wizard, else highest trump, else highest of the first suit, else leader."""
    wizards = [card for card in cards if card_name(card) == "W"]
    suited = [card for card in cards if card_suit(card)]
    if wizards:
        return cards.index(wizards[0])
    if not suited:
        return 0
    best = highest_trump_else_highest_of_the_led_suit(suited, trump)
    return cards.index(suited[best])


def card_name(card: int) -> str:
    return "" if card_suit(card) else "WF"[card >= cards_from("F1")[0]]


@pytest.mark.parametrize("trump", [1, 3, NO_TRUMP])
def test_every_trick_with_wizards_and_jesters_goes_to_the_right_card(
    trump: int,
) -> None:
    cards = cards_from("2C AC 3D 4H W1 W2 F1 F2")
    for trick in permutations(cards, 4):
        plays = [(WIZARD.pack.kind[card], JokerCall.NONE) for card in trick]
        assert on_table(WIZARD, trump, plays).winner == wizard_winner([*trick], trump)


def test_every_trump_has_tables_for_every_kind() -> None:
    for pack, trump in product(("std52", "std54", "wiz60", "bust78"), range(7)):
        tables = TrickTables(pack_of(pack), JokerMode.NONE, DuplicateWinner.LAST)
        assert len(tables.beats[trump]) == len(tables.pack.kinds)


def test_nothing_takes_a_trick_from_a_high_joker() -> None:
    tables = trick_tables(Rules.of("blackout_jokers"), pack_of("atk50"))
    high = (tables.pack.kind[cards_from("X1")[0]], JokerCall.HIGH)
    for k in range(len(tables.pack.kinds)):
        assert on_table(tables, 1, [high, (k, JokerCall.NONE)]) == (
            tables.leads[k],
            0,
            0,
        )


def test_on_an_empty_table_the_leader_is_winning() -> None:
    tables = trick_tables(Rules.of("pagat_standard"), pack_of("std52"))
    assert on_table(tables, 1, []) == (0, tables.pack.all_mask, 0)


def test_of_two_equal_cards_of_any_kind_the_rules_choose() -> None:
    pack = pack_of("bust78")
    for duplicate_winner, place in (
        (DuplicateWinner.FIRST, 0),
        (DuplicateWinner.LAST, 1),
    ):
        rules = Rules.of("bust", {"duplicate_winner": duplicate_winner.value})
        tables = trick_tables(rules, pack)
        for k, copies in enumerate(pack.copies):
            if copies == 2:
                twins = [(k, JokerCall.NONE)] * 2
                assert on_table(tables, NO_TRUMP, twins).winner == place


def test_nothing_takes_a_trick_from_a_wizard_and_anything_from_a_jester() -> None:
    tables = trick_tables(Rules.of("wizard"), pack_of("wiz60"))
    pack = tables.pack
    for k in range(len(pack.kinds)):
        if pack.rank[k]:
            for special, place in (("W1", 0), ("F1", 1)):
                first = pack.kind[cards_from(special)[0]]
                trick = [(first, JokerCall.NONE), (k, JokerCall.NONE)]
                assert on_table(tables, 2, trick).winner == place


@pytest.mark.parametrize("cards", ["F1 F2", "F4 F1 F3", "F2 W1 F1", "F1 F2 5C W3 W1"])
def test_the_first_jester_wins_only_over_jesters(cards: str) -> None:
    tables = trick_tables(Rules.of("wizard"), pack_of("wiz60"))
    place = next((i for i, c in enumerate(cards.split()) if c[0] == "W"), 0)
    assert winner(cards, "H", tables) == place


def test_every_card_that_is_no_called_joker_sets_its_own_suit() -> None:
    for preset, name in (
        ("pagat_standard", "std52"),
        ("jokers_suit", "std54"),
        ("wizard", "wiz60"),
        ("blackout_jokers", "atk50"),
    ):
        tables = trick_tables(Rules.of(preset), pack_of(name))
        for k, code in enumerate(tables.pack.kinds):
            suit = card_suit(code)
            if code in WIZARDS:
                suit = NO_TRUMP
            elif preset == "blackout_jokers" and code in JOKERS:
                suit = 0
            assert tables.leads[k] == suit
