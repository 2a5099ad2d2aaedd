import pytest

from engine.cards import HEARTS, JOKER_SUIT, NO_TRUMP, SPADES, card_code, cards_from
from engine.rules import Rules
from engine.trump import TrumpDecision, decide_trump


def decide(
    preset: str, undealt: str = "", *, deal: int = 2, **overrides: object
) -> TrumpDecision:
    return decide_trump(
        Rules.of(preset, overrides),
        deal=deal,
        forced_no_trump=False,
        successes=None if deal == 1 else 2,
        undealt=cards_from(undealt),
        last_dealt=card_code("4H"),
    )


def test_the_card_turned_up_gives_its_suit() -> None:
    assert decide("bust", "8S 9H") == TrumpDecision(SPADES, card_code("8S"))


def test_nothing_is_turned_up_where_no_trump_is_forced() -> None:
    decision = decide_trump(
        Rules.of("bust"),
        deal=1,
        forced_no_trump=True,
        successes=None,
        undealt=cards_from("8S"),
        last_dealt=None,
    )
    assert decision == TrumpDecision(NO_TRUMP)


def test_a_pack_all_dealt_has_no_trump_unless_the_rules_say_otherwise() -> None:
    assert decide("bust") == TrumpDecision(NO_TRUMP)
    fixed = decide("bust", full_pack_trump="fixed", trump_suit="S")
    assert fixed == TrumpDecision(SPADES)
    sequence = ["C", "H"]
    rotation = decide("bust", full_pack_trump="rotation", trump_sequence=sequence)
    assert rotation == TrumpDecision(HEARTS)


def test_the_dealers_last_card_is_shown_whatever_its_rank() -> None:
    assert decide("la_pocha") == TrumpDecision(HEARTS, shown=card_code("4H"))
    assert decide("la_pocha", "SC").shown is None


def test_the_rank_limit_counts_the_ace_as_highest_and_spares_jokers() -> None:
    assert decide("coulon", "AS").trump == SPADES
    assert decide("coulon", "7S").trump == SPADES
    low = decide("coulon", "6S")
    assert (low.trump, low.upcard) == (NO_TRUMP, card_code("6S"))
    assert decide("jokers_suit", "X2", turnup_min_rank=14).trump == JOKER_SUIT


def test_jokers_are_passed_over_where_the_rules_redraw() -> None:
    decision = decide("jokers_suit", "X2 X1 8S", turnup_joker="redraw")
    assert decision == TrumpDecision(SPADES, card_code("8S"))
    assert decide("jokers_suit", "X2 X1", turnup_joker="redraw").trump == NO_TRUMP


def test_a_wizard_lets_the_dealer_name_the_trump_and_a_jester_means_none() -> None:
    assert decide("wizard", "W2").dealer_names
    jester = decide("wizard", "F2")
    assert (jester.trump, jester.dealer_names) == (NO_TRUMP, False)


def test_rotation_goes_by_the_number_of_the_deal_and_on_through_extra_deals() -> None:
    trumps = [decide("kachuful", "2C", deal=deal).trump for deal in (1, 4, 5, 41)]
    assert trumps == [SPADES, HEARTS, SPADES, SPADES]
    assert decide("kachuful", "2C").upcard is None


@pytest.mark.parametrize(("deal", "trump"), [(1, NO_TRUMP), (2, HEARTS)])
def test_successes_of_the_deal_before_make_the_trump(deal: int, trump: int) -> None:
    assert decide("ninety_nine", "", deal=deal).trump == trump


def test_without_a_method_there_is_no_trump_whatever_lies_on_top() -> None:
    assert decide("bust", "8S 9H", trump_method="none") == TrumpDecision(NO_TRUMP)


def test_the_last_card_decides_only_where_it_is_told() -> None:
    rules = Rules.of("bust", {"full_pack_trump": "dealer_last_card"})
    with pytest.raises(ValueError, match=r"^dealer_last_card needs"):
        decide_trump(
            rules,
            deal=2,
            forced_no_trump=False,
            successes=None,
            undealt=(),
            last_dealt=None,
        )
