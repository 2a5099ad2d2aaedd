from engine.cards import cards_from, cards_text
from engine.dealing import deal_out


def test_eldest_gets_the_first_card_and_the_dealer_the_last() -> None:
    dealt = deal_out(cards_from("2C 3C 4C 5C 6C 7C 8C"), dealer=1, players=3, size=2)
    assert [cards_text(hand) for hand in dealt.hands] == ["3C 6C", "4C 7C", "2C 5C"]
    assert cards_text(dealt.undealt) == "8C"
