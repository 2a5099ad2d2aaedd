"""Everything there is to try, where it is little enough to try it all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

import pytest

from engine.cards import NO_TRUMP, card_code, card_rank, card_suit
from engine.deal import Deal, deal_rules
from engine.pack import BIT, kinds_in
from engine.rules import Rules

HOOKED = Rules.of("pagat_standard", {"players": list(range(2, 11)), "deal_high": 5})
FREE = HOOKED.with_overrides({"hook": False})
# Up to so many prefixes are tried as they are, beyond that one for every sum.
MOST_PREFIXES = 5000


def allowed(earlier: Sequence[int], size: int, *, hook: bool) -> list[int]:
    """The rule itself: the last bid may not make the sum of all bids the hand size."""
    left = size - sum(earlier)
    return [amount for amount in range(size + 1) if not hook or amount != left]


def prefixes(bidders: int, size: int) -> Iterator[tuple[int, ...]]:
    """All bids before the last one; where they are too many, one for each sum."""
    if (size + 1) ** (bidders - 1) <= MOST_PREFIXES:
        yield from product(range(size + 1), repeat=bidders - 1)
    else:
        for total in range((bidders - 1) * size + 1):
            full, rest = divmod(total, size)
            bids = [size] * full + [rest] + [0] * bidders
            yield tuple(bids[: bidders - 1])


@pytest.mark.parametrize("rules", [HOOKED, FREE], ids=["hook", "free"])
@pytest.mark.parametrize("players", range(2, 11))
def test_the_hook_is_its_statement_after_every_prefix(
    rules: Rules, players: int
) -> None:
    shared = deal_rules(rules, players)
    nothing = [0] * players
    for size in range(1, 14):
        for earlier in prefixes(players, size):
            deal = Deal.begin(shared, nothing, nothing, size=size, dealer=0, trump=1)
            for amount in earlier:
                assert deal.legal_bids() == BIT[size + 1] - 1
                deal.bid(amount)
            legal = [*kinds_in(deal.legal_bids())]
            assert legal == allowed(earlier, size, hook=rules.hook)


NINE = [card_code(rank + suit) for suit in "CDS" for rank in "29A"]


def winner(trick: Sequence[int], trump: int) -> int:
    """Place of the highest trump, or else of the highest card of the led suit."""
    led = card_suit(trick[0])
    suits = [card_suit(card) for card in trick]
    best = trump if trump in suits else led
    return max(
        [place for place, suit in enumerate(suits) if suit == best],
        key=lambda place: card_rank(trick[place]),
    )


@pytest.mark.parametrize("trump", [1, 2, 4, NO_TRUMP])
@pytest.mark.parametrize("leader", range(4))
def test_every_trick_of_a_pack_of_nine_has_its_winner_and_next_leader(
    leader: int, trump: int
) -> None:
    shared = deal_rules(HOOKED, 4)
    kind = shared.pack.kind
    for trick in permutations(NINE, 4):
        held = [0] * 4
        for place, card in enumerate(trick):
            held[(leader + place) % 4] = BIT[kind[card]]
        dealer = (leader - 1) % 4
        deal = Deal.begin(
            shared, held, [0] * 4, size=1, dealer=dealer, trump=trump, bidders=[]
        )
        for card in trick:
            deal.play(kind[card])
        won = (leader + winner(trick, trump)) % 4
        assert deal.turn == won
        assert deal.tricks == [int(seat == won) for seat in range(4)]


@pytest.mark.parametrize("led", NINE)
def test_every_hand_of_a_pack_of_nine_follows_suit(led: int) -> None:
    shared = deal_rules(HOOKED, 4)
    kind = shared.pack.kind
    rest = [card for card in NINE if card != led]
    for chosen in range(1, 2 ** len(rest)):
        hand = [card for i, card in enumerate(rest) if chosen & BIT[i]]
        held = sum(BIT[kind[card]] for card in hand)
        deal = Deal.begin(
            shared,
            [held, BIT[kind[led]], 0, 0],
            [0] * 4,
            size=1,
            dealer=3,
            trump=4,
            bidders=[],
        )
        deal.turn = 1
        deal.play(kind[led])
        deal.turn = 0
        same = [card for card in hand if card_suit(card) == card_suit(led)]
        assert [*kinds_in(deal.legal_cards())] == [kind[card] for card in same or hand]
