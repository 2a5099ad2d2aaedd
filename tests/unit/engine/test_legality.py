"""Legal cards, against a few lines of oracle for all hands of a small pack."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.cards import NO_TRUMP, card_rank, card_suit, cards_from, cards_text
from engine.errors import Code
from engine.legality import (
    CallRule,
    Duties,
    call_rule,
    legal_kinds,
    refusal_of_call,
    refusal_of_card,
)
from engine.pack import BIT, Pack, pack_of
from engine.rules import Rules
from engine.trick import JokerCall, on_table, trick_tables

NINE = cards_from("9C TC AC 9D TD AD 9H TH AH")


def legal(
    rules: Rules,
    hand: list[int],
    table: list[int],
    trump: int,
    *,
    trick: int = 2,
    calls: tuple[JokerCall, ...] = (),
) -> list[int]:
    pack = pack_for(rules, hand + table)
    named = [*calls, *[JokerCall.NONE] * len(table)]
    plays = [(pack.kind[card], call) for card, call in zip(table, named, strict=False)]
    lying = on_table(trick_tables(rules, pack), trump, plays)
    held, twice = pack.hand(hand)
    mask = legal_kinds(Duties(rules, pack), held, trump, lying.suit, lying.beats, trick)
    return pack.cards(mask, mask & twice)


def pack_for(rules: Rules, cards: list[int]) -> Pack:
    packs = [rules.pack_for(players) for players in rules.players]
    return next(pack for pack in packs if set(cards) <= set(pack.kinds))


def texts(rules: Rules, hand: str, table: str, trump: int, **more: object) -> str:
    found = legal(rules, cards_from(hand), cards_from(table), trump, **more)  # type: ignore[arg-type]  # keywords of `legal`
    return cards_text(sorted(found))


def follow_else_anything(hand: list[int], table: list[int]) -> list[int]:
    led = card_suit(table[0]) if table else 0
    return [card for card in hand if card_suit(card) == led] or hand


def winning(table: list[int], trump: int) -> int:
    best = [card for card in table if card_suit(card) == trump] or [
        card for card in table if card_suit(card) == card_suit(table[0])
    ]
    return max(best, key=card_rank)


def beats(card: int, table: list[int], trump: int) -> bool:
    return winning([*table, card], trump) == card


@pytest.mark.parametrize("trump", [1, 2, NO_TRUMP])
def test_the_plain_game_asks_only_to_follow_suit(trump: int) -> None:
    rules = Rules.of("pagat_standard")
    for size in (1, 2, 3):
        for hand in combinations(NINE, size):
            for led in [card for card in NINE if card not in hand]:
                got = legal(rules, [*hand], [led], trump)
                assert got == follow_else_anything([*hand], [led])
            assert legal(rules, [*hand], [], trump) == [*hand]


@pytest.mark.parametrize("trump", [1, 2, NO_TRUMP])
@pytest.mark.parametrize("flags", range(8))
def test_duties_are_followed_in_their_order(flags: int, trump: int) -> None:
    head, force, over = bool(flags & 1), bool(flags & 2), bool(flags & 4)
    rules = Rules.of(
        "pagat_standard",
        {"must_head": head, "must_trump": force, "must_overtrump": over},
    )

    def oracle(hand: list[int], table: list[int]) -> list[int]:
        def better(cards: list[int]) -> list[int]:
            return [card for card in cards if beats(card, table, trump)] or cards

        led = card_suit(table[0])
        follow = [card for card in hand if card_suit(card) == led]
        trumps = [card for card in hand if card_suit(card) == trump]
        if follow:
            return better(follow) if head else follow
        if force and trumps:
            return better(trumps) if over else trumps
        return hand

    for hand in combinations(NINE, 3):
        rest = [card for card in NINE if card not in hand]
        for table in [*[[a] for a in rest], *[[a, b] for a in rest for b in rest]]:
            if len(set(table)) == len(table):
                assert legal(rules, [*hand], table, trump) == oracle([*hand], table)


def test_when_trumps_are_led_they_are_followed() -> None:
    assert texts(Rules.of("pagat_standard"), "9S AH", "3S", 4) == "9S"


def test_a_card_held_twice_is_legal_twice() -> None:
    rules = Rules.of("bust", {"players": [6]})
    assert legal(rules, cards_from("2C 2C KH"), cards_from("3C"), 1) == cards_from(
        "2C 2C"
    )


def test_an_identical_twin_heads_only_where_the_later_one_wins() -> None:
    for winner, expected in (("last", "4C"), ("first", "3C 4C")):
        rules = Rules.of(
            "bust",
            {"players": [6], "must_head": True, "duplicate_winner": winner},
        )
        assert texts(rules, "3C 4C", "4C", 2) == expected


JOKERS = Rules.of("blackout_jokers")


def test_having_to_trump_holds_beside_a_called_joker_from_the_first_trick() -> None:
    rules = Rules.of("blackout_jokers", {"must_trump": True})
    for trick, expected in ((1, "AD"), (2, "AD X1")):
        assert texts(rules, "X1 3C AD", "5S", 2, trick=trick) == expected


@pytest.mark.parametrize(
    ("hand", "table", "trick", "expected"),
    [
        ("X1 3C AD", "", 1, "3C AD"),
        ("X1 3C AD", "", 5, "3C AD"),
        ("X1 X2", "", 5, "X1 X2"),
        ("X1 3C AD", "5C", 1, "3C"),
        ("X1 3C AD", "5C", 2, "3C X1"),
        ("X1 X2", "5C", 1, "X1 X2"),
        ("X1 3C AD", "X2", 2, "3C AD X1"),
        ("X1 3C AD", "X2 5C", 2, "3C X1"),
        ("X1 3C AD", "5S", 2, "3C AD X1"),
    ],
)
def test_called_jokers_are_added_but_not_led(
    hand: str, table: str, trick: int, expected: str
) -> None:
    calls = (JokerCall.LOW,) if table.startswith("X") else ()
    assert texts(JOKERS, hand, table, 3, trick=trick, calls=calls) == expected


@pytest.mark.parametrize(
    ("hand", "table", "expected"),
    [
        ("W1 F1 3C AD", "5C", "3C W1 F1"),
        ("W1 3C AD", "F2", "3C AD W1"),
        ("W1 3C AD", "F2 5C", "3C W1"),
        ("W1 3C AD", "W2 5C", "3C AD W1"),
        ("W1 3C AD", "F2 W2 5C", "3C AD W1"),
        ("3C AD", "W2", "3C AD"),
    ],
)
def test_wizards_and_jesters_may_always_be_played(
    hand: str, table: str, expected: str
) -> None:
    assert texts(Rules.of("wizard"), hand, table, 3) == expected


def test_with_must_trump_special_cards_do_not_excuse_suit_cards() -> None:
    rules = Rules.of("wizard", {"must_trump": True})
    assert texts(rules, "W1 3H AD", "5C", 3) == "3H W1"
    assert texts(rules, "W1 3H AD", "W2", 3) == "AD 3H W1"


@pytest.mark.parametrize(
    ("preset", "overrides", "hand", "table", "card", "code"),
    [
        ("pagat_standard", {}, "AH 2C", "3H", "2C", Code.MUST_FOLLOW),
        ("wurry", {}, "2D 5S", "3H", "2D", Code.MUST_TRUMP),
        ("la_pocha", {}, "2C RC", "SC", "2C", Code.MUST_HEAD),
        (
            "wurry",
            {"must_overtrump": True},
            "2S 9S",
            "3H 5S",
            "2S",
            Code.MUST_OVERTRUMP,
        ),
        ("blackout_jokers", {}, "X1 3C", "", "X1", Code.JOKER_NOT_ALLOWED),
        ("jokers_suit", {}, "X1 3C", "4C", "X1", Code.MUST_FOLLOW),
    ],
)
def test_a_refused_card_has_the_code_of_the_first_broken_duty(
    preset: str,
    overrides: dict[str, object],
    hand: str,
    table: str,
    card: str,
    code: Code,
) -> None:
    rules = Rules.of(preset, overrides)
    cards, lying = cards_from(hand), cards_from(table)
    pack = pack_for(rules, cards + lying)
    spades = 4
    assert cards_from(card)[0] not in legal(rules, cards, lying, spades)
    plays = [(pack.kind[code], JokerCall.NONE) for code in lying]
    suit = on_table(trick_tables(rules, pack), spades, plays).suit
    held, _ = pack.hand(cards)
    k = pack.kind[cards_from(card)[0]]
    duties = Duties(rules, pack)
    assert refusal_of_card(duties, held, k, trump=spades, suit=suit) is code
    assert held & BIT[k]


def test_the_second_joker_has_the_opposite_value() -> None:
    duties = Duties(JOKERS, pack_of("atk50"))
    assert call_rule(duties, JokerCall.NONE) is CallRule.REQUIRED
    assert call_rule(duties, JokerCall.HIGH) is CallRule.FIXED_LOW
    assert call_rule(duties, JokerCall.LOW) is CallRule.FIXED_HIGH
    plain = Duties(Rules.of("pagat_standard"), pack_of("std52"))
    assert call_rule(plain, JokerCall.NONE) is CallRule.NONE


@pytest.mark.parametrize(
    ("rule", "call", "code"),
    [
        (CallRule.NONE, None, None),
        (CallRule.NONE, JokerCall.NONE, None),
        (CallRule.NONE, JokerCall.HIGH, Code.CALL_NOT_ALLOWED),
        (CallRule.REQUIRED, None, Code.CALL_REQUIRED),
        (CallRule.REQUIRED, JokerCall.LOW, None),
        (CallRule.REQUIRED, "middle", Code.BAD_CALL),
        (CallRule.REQUIRED, True, Code.BAD_CALL),
        (CallRule.REQUIRED, "", Code.BAD_CALL),
        (CallRule.FIXED_HIGH, JokerCall.HIGH, Code.CALL_FIXED),
        (CallRule.FIXED_LOW, None, None),
    ],
)
def test_calls_are_refused_by_what_the_joker_needs(
    rule: CallRule, call: object, code: Code | None
) -> None:
    assert refusal_of_call(rule, call) is code
