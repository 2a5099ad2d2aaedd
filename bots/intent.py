"""Play by intent: whether the seat wants this trick, and the best way to its wish."""

from __future__ import annotations

from typing import Final

from bots.trick_sense import by_weight, sure_trumps, trumps_beaten_by
from ohhell_bot import RANK, SUIT, BidState, CallRule, JokerCall, Play, View
from ohhell_bot.cards import JOKERS, WIZARDS

_ACE: Final = 14


def aces_and_trumps(view: View) -> int:
    """Cards of the hand that usually take a trick, wizards among them."""
    trump = view.trump
    return sum(
        [
            RANK[card] == _ACE or SUIT[card] == trump or card in WIZARDS
            for card in view.hand
        ]
    )


def wants_trick(view: View) -> bool:
    """Whether one trick more is welcome.

    It is while the bid is not reached; and when the bid is lost either way, because
    then every trick taken is one that somebody else may need.
    """
    state = view.bid_states[view.match.seat]
    if state == BidState.NO_PART:
        return True
    if state == BidState.MISERE:
        return view.my_tricks > 0
    needed = view.needed
    if needed <= 0 or needed > view.tricks_left:
        return needed != 0
    # Trumps that nothing beats take their tricks later and cost nothing to keep.
    return sure_trumps(view) < needed


def play(view: View) -> int | Play:
    """One of the legal cards, a joker with the call that fits the intent."""
    wants = wants_trick(view)
    call = JokerCall.HIGH if wants else JokerCall.LOW
    cards = by_weight(view, view.legal_cards)
    if len(cards) == 1:
        card = cards[0]
    elif view.trick:
        card = _follow(view, cards, wants=wants, call=call)
    else:
        card = cards[-1] if wants and not _can_wait(view) else cards[0]
    needs_call = view.call == CallRule.REQUIRED and card in JOKERS
    return Play(card, call) if needs_call else card


def _can_wait(view: View) -> bool:
    """Whether trumps that are all but sure are enough, and a trick may be let go."""
    needed = view.needed
    return 0 < needed < view.tricks_left and (
        trumps_beaten_by(view, at_most=1) >= needed
    )


def _follow(view: View, cards: list[int], *, wants: bool, call: JokerCall) -> int:
    """`cards` are in order of weight."""
    winners = [card for card in cards if view.wins(card, call)]
    if wants:
        if not winners:
            return cards[0]
        return winners[0] if view.plays_last else winners[-1]
    losers = [card for card in cards if card not in winners]
    if losers:
        return losers[-1]
    return winners[-1] if view.plays_last else winners[0]
