"""Single questions to the engine's value functions, as vector files ask them.

Each kind of vector is one function from the question to the value expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from engine.bidding import (
    bid_cards_value,
    bid_order,
    first_leader,
    forbidden_bid,
    legal_bids,
    may_bid,
    refusal_of_amount,
)
from engine.cards import (
    JOKERS,
    SPECIAL_CARDS,
    card_code,
    card_rank,
    card_text,
    cards_from,
    trump_code,
    trump_text,
)
from engine.dealing import deal_out
from engine.pack import Pack, pack_of
from engine.parameters import DealKind
from engine.plan import (
    Plan,
    certain_no_trump_deals,
    deal_plan,
    dealer_of,
    forehead_deals,
    is_forced_no_trump,
    turns_card_up,
)
from engine.rules import Rules
from engine.scoring import (
    Premium,
    deal_points,
    ninety_nine_points,
    successes,
)
from engine.settlement import exact_shares, whole_shares
from engine.totals import Next, leaders, new_total, next_after
from engine.trump import decide_trump, trump_after


class BadQuestion(ValueError):
    """A vector that is not of the documented form."""


class Question:
    """Typed reading of a vector's input."""

    def __init__(self, fields: object) -> None:
        if not isinstance(fields, Mapping):
            raise BadQuestion(f"expected an object, not {fields!r}")
        self._fields = fields

    def has(self, name: str) -> bool:
        """Null counts as missing."""
        return self._fields.get(name) is not None

    def value(self, name: str) -> object:
        """As it is in the data; None where it is missing."""
        return self._fields.get(name)

    def names(self) -> list[str]:
        return [*self._fields]

    def question(self, name: str) -> Question:
        return Question(self._fields.get(name))

    def text(self, name: str) -> str:
        return _text(self._fields.get(name), name)

    def text_or_none(self, name: str) -> str | None:
        return self.text(name) if self.has(name) else None

    def number(self, name: str) -> int:
        return _number(self._fields.get(name), name)

    def number_or_none(self, name: str) -> int | None:
        return self.number(name) if self.has(name) else None

    def items(self, name: str) -> Sequence[object]:
        value = self._fields.get(name)
        if not isinstance(value, list):
            raise BadQuestion(f"{name}: expected a list, not {value!r}")
        return value

    def numbers(self, name: str) -> list[int]:
        return [_number(item, name) for item in self.items(name)]

    def texts(self, name: str) -> list[str]:
        return [_text(item, name) for item in self.items(name)]

    def flag(self, name: str) -> bool:
        value = self._fields.get(name)
        if not isinstance(value, bool):
            raise BadQuestion(f"{name}: expected true or false, not {value!r}")
        return value

    def questions(self, name: str) -> list[Question]:
        return [Question(item) for item in self.items(name)]

    def rules(self) -> Rules:
        preset, overrides = rule_reference(self._fields.get("rules"))
        return Rules.of(preset, overrides)


def rule_reference(value: object) -> tuple[str, Mapping[str, object]]:
    """Preset and overrides of `{"preset": ..., "set": {...}}`."""
    if not isinstance(value, Mapping):
        raise BadQuestion(f"rules: expected an object, not {value!r}")
    overrides = value.get("set", {})
    if not isinstance(overrides, Mapping):
        raise BadQuestion(f"set: expected an object, not {overrides!r}")
    return _text(value.get("preset"), "preset"), overrides


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise BadQuestion(f"{name}: expected text, not {value!r}")
    return value


def _number(value: object, name: str) -> int:
    if type(value) is not int:
        raise BadQuestion(f"{name}: expected a whole number, not {value!r}")
    return value


def answer(kind: str, fields: object) -> object:
    """Shaped as a vector's `expected`; KeyError for a kind that is not here."""
    return ANSWERS[kind](Question(fields))


def _score(q: Question) -> object:
    bid = q.number_or_none("bid")
    if q.has("deal_kind") and DealKind(q.text("deal_kind")).is_misere:
        bid = 0
    won, size = [q.number("won")], q.number("cards")
    rules = _scored_by(q.text("scheme"))
    return deal_points(rules, bids=[bid], won=won, size=size, premium=None)[0]


def _scored_by(scheme: str) -> Rules:
    return Rules.of("pagat_standard", {"scoring": scheme})


def _totals(q: Question) -> object:
    rules = _scored_by(q.text("scheme"))
    by_deal = [
        deal_points(
            rules,
            bids=[
                None if b is None else _number(b, "bids") for b in deal.items("bids")
            ],
            won=deal.numbers("won"),
            size=deal.number("cards"),
            premium=None,
        )
        for deal in q.questions("deals")
    ]
    return [sum(seat) for seat in zip(*by_deal, strict=True)]


def _new_total(q: Question) -> object:
    rules = q.rules()
    gained = deal_points(
        rules,
        bids=[q.number_or_none("bid")],
        won=[q.number("won")],
        size=q.number("cards"),
        premium=None,
    )
    return new_total(rules, q.number("old"), gained[0])


def _deal_plan(q: Question) -> object:
    rules = q.rules()
    report = q.texts("report")
    return {
        str(n): [_plan_item(deal_plan(rules, n), item) for item in report]
        for n in q.numbers("players")
    }


def _plan_item(plan: Plan, item: str) -> object:
    name, _, value = item.partition(":")
    match name:
        case "list":
            return list(_finite(plan))
        case "length":
            return plan.length
        case "first":
            return plan.size(1)
        case "last":
            return plan.last_size
        case "max":
            return plan.largest
        case "item":
            return plan.size(int(value) + 1)
        case "head":
            return list(islice(plan.sizes(), int(value)))
        case _:
            raise BadQuestion(f"unknown item of a plan: {item!r}")


def _finite(plan: Plan) -> Iterator[int]:
    if plan.length is None:
        raise BadQuestion("a plan without end has no whole list")
    return plan.sizes()


def _pack(q: Question) -> object:
    report = q.texts("report")
    if not q.has("players"):
        return _pack_items(pack_of(q.text("pack")), report)
    rules = q.rules()
    return {
        str(n): _pack_items(rules.pack_for(n), report) for n in q.numbers("players")
    }


def _pack_items(pack: Pack, report: Sequence[str]) -> dict[str, object]:
    return {item: _pack_item(pack, item) for item in report}


def _pack_item(pack: Pack, item: str) -> object:
    name, _, value = item.partition(":")
    texts = [card_text(code) for code in pack.codes()]
    match name:
        case "size":
            return pack.size
        case "suit":
            mask = pack.suit_mask[trump_code(value)]
            return len(pack.cards(mask, mask & pack.twice_mask))
        case "rank":
            return sorted(text for text in texts if text[0] == value)
        case "count":
            return texts.count(card_text(card_code(value)))
        case "jokers":
            return len([code for code in pack.codes() if code in JOKERS])
        case "lowest_rank":
            # Not that of the first kind: a suit may lack a rank that others have.
            lowest = min(set(pack.codes()) - {*SPECIAL_CARDS}, key=card_rank)
            return card_text(lowest)[0]
        case "left":
            players, _, size = value.partition("x")
            return pack.size - int(players) * int(size)
        case _:
            raise BadQuestion(f"unknown item of a pack: {item!r}")


def _max_hand(q: Question) -> object:
    cards = pack_of(q.text("pack")).size - q.flag("turn_up")
    return {str(n): cards // n for n in q.numbers("players")}


def _legal_bids(q: Question) -> object:
    rules, size, earlier = q.rules(), q.number("cards"), q.numbers("earlier_bids")
    is_last = len(earlier) == q.number("players") - 1
    forbidden = forbidden_bid(rules, size=size, others=sum(earlier), is_last=is_last)
    return legal_bids(size, forbidden)


def _bids_accepted(q: Question) -> object:
    rules, players, size = q.rules(), q.number("players"), q.number("cards")
    bids = q.items("bids")
    made = 0
    for place, bid in enumerate(bids, start=1):
        is_last = place == players
        forbidden = forbidden_bid(rules, size=size, others=made, is_last=is_last)
        if refusal_of_amount(bid, size=size, forbidden=forbidden) is not None:
            return False
        made += _number(bid, "bids")
    return len(bids) == players


def _bid_order(q: Question) -> object:
    return list(bid_order(q.number("dealer"), q.number("players")))


def _dealers(q: Question) -> object:
    players, first = q.number("players"), q.number("first_dealer")
    return [
        dealer_of(deal, first_dealer=first, players=players)
        for deal in q.numbers("deals")
    ]


def _first_leader(q: Question) -> object:
    return [
        first_leader(
            case.rules(), dealer=case.number("dealer"), players=case.number("players")
        )
        for case in q.questions("cases")
    ]


def _deal_cards(q: Question) -> object:
    dealt = deal_out(
        cards_from(q.text("deck")),
        dealer=q.number("dealer"),
        players=q.number("players"),
        size=q.number("cards"),
    )
    return {
        "hands": [[card_text(code) for code in hand] for hand in dealt.hands],
        "up": card_text(dealt.undealt[0]) if dealt.undealt else None,
    }


def _trump(q: Question) -> object:
    return [_trump_of(case) for case in q.questions("cases")]


def _trump_of(case: Question) -> str:
    rules, deal = case.rules(), case.number("deal")
    plan = deal_plan(rules, case.number("players"))
    next_card = case.text_or_none("next_card")
    decision = decide_trump(
        rules,
        deal=deal,
        forced_no_trump=is_forced_no_trump(rules, plan, deal),
        successes=None,
        undealt=[] if next_card is None else [card_code(next_card)],
        last_dealt=None,
    )
    return "CHOOSE" if decision.dealer_names else trump_text(decision.trump)


def _no_trump_deals(q: Question) -> object:
    return list(certain_no_trump_deals(q.rules(), q.number("players")))


def _forehead_deals(q: Question) -> object:
    return list(forehead_deals(q.rules(), q.number("players")))


def _turnup_used(q: Question) -> object:
    rules, players = q.rules(), q.number("players")
    plan = deal_plan(rules, players)
    return [
        [plan.size(deal), turns_card_up(rules, plan, deal, players=players)]
        for deal in q.numbers("deals")
    ]


def _may_bid(q: Question) -> object:
    return may_bid(q.rules(), q.number("total"))


def _settlement(q: Question) -> object:
    scores, stake = q.numbers("scores"), q.number("stake")
    if q.text("mode") == "exact":
        return [str(share) for share in exact_shares(scores, stake)]
    return whole_shares(scores, stake)


def _tie(q: Question) -> object:
    rules, totals = q.rules(), q.numbers("totals")
    plan = deal_plan(rules, len(totals))
    if plan.length is None:
        raise BadQuestion("a plan without end has no last deal")
    deal = plan.length
    for extra in q.items("extra") if q.has("extra") else []:
        if next_after(rules, plan, deal, totals) is not Next.EXTRA_DEAL:
            raise BadQuestion(f"no extra deal is called for after deal {deal}")
        gained = Question({"points": extra}).numbers("points")
        pairs = zip(totals, gained, strict=True)
        totals = [new_total(rules, old, won) for old, won in pairs]
        deal += 1
    return {
        "totals": totals,
        "leaders": list(leaders(totals)),
        "another_deal": next_after(rules, plan, deal, totals) is Next.EXTRA_DEAL,
    }


def _extra_deal(q: Question) -> object:
    players = q.number("players")
    plan = deal_plan(q.rules(), players)
    deal = (plan.length or 0) + q.number("extra_no")
    first = q.number("first_dealer")
    return {
        "cards": plan.size(deal),
        "dealer": dealer_of(deal, first_dealer=first, players=players),
    }


def _ninety_nine(q: Question) -> object:
    bids, won = q.numbers("bids"), q.numbers("won")
    premium = Premium(*q.numbers("premium")) if q.has("premium") else None
    return {
        "points": ninety_nine_points(bids, won, premium),
        "next_trump": trump_text(trump_after(successes(bids, won))),
    }


def _bid_cards_value(q: Question) -> object:
    return bid_cards_value([card_code(text) for text in q.texts("cards")])


def _invariant(q: Question) -> object:
    """All seats are exact in some split just when their bids add up to the hand."""
    if q.text("check") != "hook_leaves_at_most_n_minus_1_exact":
        raise BadQuestion(f"unknown invariant: {q.text('check')!r}")
    rules, players, size = q.rules(), q.number("players"), q.number("cards")
    sums = {0}
    for place in range(1, players + 1):
        is_last = place == players
        sums = {
            others + bid
            for others in sums
            for bid in legal_bids(
                size,
                forbidden_bid(rules, size=size, others=others, is_last=is_last),
            )
        }
    return size not in sums


ANSWERS: Final[dict[str, Callable[[Question], object]]] = {
    "bid_cards_value": _bid_cards_value,
    "bid_order": _bid_order,
    "bids_accepted": _bids_accepted,
    "deal_cards": _deal_cards,
    "deal_plan": _deal_plan,
    "dealers": _dealers,
    "extra_deal": _extra_deal,
    "first_leader": _first_leader,
    "forehead_deals": _forehead_deals,
    "invariant": _invariant,
    "legal_bids": _legal_bids,
    "max_hand": _max_hand,
    "may_bid": _may_bid,
    "new_total": _new_total,
    "ninety_nine": _ninety_nine,
    "no_trump_deals": _no_trump_deals,
    "pack": _pack,
    "score": _score,
    "settlement": _settlement,
    "tie": _tie,
    "totals": _totals,
    "trump": _trump,
    "turnup_used": _turnup_used,
}
