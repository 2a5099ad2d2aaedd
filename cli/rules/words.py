"""Rule sets in words: what a value of a parameter means, and a page about all of them.

The full meaning of every parameter is in docs/rules.md; this is the line that helps
somebody at a table, or somebody who compares two rule sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Final, NamedTuple

from engine.pack import PackName
from engine.parameters import JokerMode
from engine.plan import Plan, deal_plan
from engine.rules import Rules
from engine.scoring import Coefficients

SUIT_NAMES: Final = {
    "C": "clubs",
    "D": "diamonds",
    "H": "hearts",
    "S": "spades",
    "NT": "no trump",
}
KIND_WORDS: Final = {
    "normal": "nothing special",
    "no_trump": "no trump",
    "misere_trump": "nobody bids, everybody counts as having bid 0",
    "misere_no_trump": "no trump, and nobody bids: everybody counts as having bid 0",
    "guess_trump": "the upcard is shown when all bids are in",
    "blind": "hands and upcard are shown when all bids are in",
    "blind_in_order": "as blind, and cards are played in the order received",
}
PACK_WORDS: Final = {
    "std52": "52 cards",
    "std54": "52 cards and two jokers",
    "atk50": "52 cards without the 2s, and two jokers",
    "top24": "24 cards, 9 to ace",
    "top32": "32 cards, 7 to ace",
    "top36": "36 cards, 6 to ace",
    "top40": "40 cards, 5 to ace",
    "top48": "48 cards, 3 to ace",
    "bust39": "52 cards without the 13 lowest",
    "bust65": "52 cards, the 13 lowest twice",
    "bust78": "52 cards, the 26 lowest twice",
    "spanish40": "40 Spanish cards",
    "wiz60": "52 cards, four wizards W1-W4, four jesters F1-F4",
}
_DOUBLED: Final = frozenset({PackName.BUST65, PackName.BUST78})
_LONGEST_PLAN: Final = 200

_CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "direction": {
        "clockwise": "play goes clockwise",
        "counterclockwise": "play goes counter-clockwise",
    },
    "rank_order": {
        "A_high": "the ace is the highest card",
        "spanish_A3": "ranks from the top: A 3 R C S 7 6 5 4 2",
    },
    "duplicate_winner": {
        "last": "of two identical cards the later one wins",
        "first": "of two identical cards the earlier one wins",
    },
    "deal_shape": {
        "up": "hands grow",
        "down": "hands shrink",
        "up_down": "hands grow and shrink again",
        "down_up": "hands shrink and grow again",
        "fixed": "all hands are of one size",
        "list": "hand sizes are listed",
    },
    "trump_method": {
        "turn_up": "the suit of a card turned up is trump",
        "rotation": "the trump goes through a fixed order, a step a deal",
        "fixed": "the same suit is always trump",
        "none": "there is no trump",
        "previous_successes": "3, 2, 1, 0 bids made in the deal before make clubs,"
        " hearts, spades, diamonds trump; the first deal has none",
    },
    "turnup_joker": {
        "not_applicable": "no special card is turned up",
        "joker_suit_trump": "a joker turned up makes the jokers trump",
        "redraw": "after a joker turned up the next card is turned",
        "wizard_rules": "a jester turned up means no trump, a wizard lets the dealer"
        " name a suit",
    },
    "no_trump_deals": {
        "none": "no deal is without trump by decree",
        "last": "the last deal has no trump",
        "largest": "the largest deals have no trump",
    },
    "full_pack_trump": {
        "none": "without a card to turn up there is no trump",
        "rotation": "without a card to turn up the order of trumps decides",
        "fixed": "without a card to turn up the fixed suit is trump",
        "dealer_last_card": "without a card to turn up the dealer shows the last card"
        " dealt, whose suit is trump",
    },
    "bid_mode": {
        "turn": "bids are made in turn, the dealer last",
        "simultaneous": "bids are secret and shown together",
        "bid_cards": "a bid is three cards laid aside: clubs count 3, hearts 2,"
        " spades 1, diamonds 0",
    },
    "bid_amend": {
        "none": "a bid made stands",
        "until_next_bid": "a bid may be changed until the next one is made",
    },
    "last_bid_amend": {
        "none": "the last bid stands",
        "until_first_lead": "the last bid may be changed until the first card",
    },
    "forehead": {
        "none": "hands are always seen by their holders alone",
        "last_one_card": "in the last deal each sees all cards but the own one",
        "all_one_card": "in one-card deals each sees all cards but the own one",
    },
    "first_leader": {
        "eldest": "the seat after the dealer leads first",
        "dealer": "the dealer leads first",
    },
    "joker_mode": {
        "none": "there are no special cards",
        "suit": "the jokers are a suit of two equal cards: one that is led wins unless"
        " a trump falls",
        "high_low": "the first joker is called high (it wins) or low (it loses), the"
        " other one is the opposite",
        "wizard": "the first wizard in a trick wins it, a jester loses to everything;"
        " both may always be played",
    },
    "joker_opposite_scope": {
        "deal": "a call of a joker holds for the deal",
        "trick": "a call of a joker holds for the trick",
    },
    "end": {
        "all_deals": "after the last deal the highest total wins",
        "exact_target": "whoever stands on exactly the target wins",
        "target_reached": "when somebody reaches the target the highest total wins",
    },
    "overshoot": {
        "none": "totals may pass the target",
        "bounce": "what a total has above the target is taken off it",
    },
    "tie_policy": {
        "shared": "equal highest totals win together",
        "extra_max_deals": "while the highest total is shared, largest deals follow",
    },
    "settlement": {
        "none": "there is no money",
        "mean_difference": "money goes by the distance from the mean total",
    },
}


def in_words(name: str, rules: Rules) -> str:
    """Say in a line what the value of a parameter means."""
    if name in _CHOICES:
        return _CHOICES[name][str(getattr(rules, name))]
    return _SAID[name](rules)


def _players(rules: Rules) -> str:
    return f"for {' '.join(map(str, rules.players))} players"


def _first_dealer(rules: Rules) -> str:
    seat = rules.first_dealer_seat
    if seat is None:
        return "chance decides who deals first"
    return f"seat {seat} deals first"


def _pack(rules: Rules) -> str:
    if isinstance(rules.pack, PackName):
        return PACK_WORDS[rules.pack]
    return "; ".join(f"with {n} players {PACK_WORDS[name]}" for n, name in rules.pack)


def _by_players(value: int | tuple[tuple[int, int], ...]) -> str:
    if isinstance(value, int):
        return str(value)
    return ", ".join(f"{item} with {n} players" for n, item in value)


def _times(value: int | str, what: str) -> str:
    times = "as often as there are players" if isinstance(value, str) else f"{value}x"
    return f"{what} played {times}"


def _deal_list(rules: Rules) -> str:
    if rules.deal_list is None:
        return "no sizes are listed"
    return f"sizes: {_shortened(rules.deal_list)}"


def _deal_count(rules: Rules) -> str:
    if rules.deal_count is None:
        return "no number of deals is set"
    return f"deals: {_by_players(rules.deal_count)}"


def _deal_kinds(rules: Rules) -> str:
    if not rules.deal_kinds:
        return "no deal is special"
    said = [f"deal {deal}: {KIND_WORDS[kind]}" for deal, kind in rules.deal_kinds]
    return "; ".join(said)


def _hook(rules: Rules) -> str:
    if rules.hook:
        return (
            "the bids may not add up to the number of tricks: the last bidder lacks"
            " that amount"
        )
    return "the last bidder may bid anything"


def _set(value: int | None, text: str, otherwise: str) -> str:
    return otherwise if value is None else text.format(value)


def _flag(value: bool, yes: str, no: str) -> str:  # noqa: FBT001 - the value to tell
    return yes if value else no


_SAID: Final[Mapping[str, Callable[[Rules], str]]] = {
    "players": _players,
    "first_dealer": _first_dealer,
    "pack": _pack,
    "deal_low": lambda r: f"smallest hand: {r.deal_low}",
    "deal_high": lambda r: f"largest hand: {_by_players(r.deal_high)}",
    "deal_step": lambda r: f"hands change by {r.deal_step}",
    "turn_repeat": lambda r: _times(r.turn_repeat, "the size in the middle is"),
    "end_repeat": lambda r: _times(r.end_repeat, "the first and the last size are"),
    "deal_list": _deal_list,
    "deal_count": _deal_count,
    "deal_kinds": _deal_kinds,
    "trump_suit": lambda r: (
        f"fixed suit: {SUIT_NAMES[r.trump_suit]}" if r.trump_suit else "no fixed suit"
    ),
    "trump_sequence": lambda r: (
        "order of trumps: " + ", ".join(SUIT_NAMES[s] for s in r.trump_sequence)
        if r.trump_sequence
        else "no order of trumps"
    ),
    "turnup_min_rank": lambda r: _set(
        r.turnup_min_rank,
        "an upcard below rank {} means no trump",
        "an upcard of any rank makes trump",
    ),
    "hook": _hook,
    "hook_min_cards": lambda r: f"hook from {r.hook_min_cards} cards on",
    "no_bid_at_score": lambda r: _set(
        r.no_bid_at_score,
        "a seat with {} points or more does not bid and gets 1 a trick",
        "everybody bids, whatever the score",
    ),
    "must_trump": lambda r: _flag(
        r.must_trump,
        "who cannot follow suit must trump",
        "who cannot follow suit may play anything",
    ),
    "must_overtrump": lambda r: _flag(
        r.must_overtrump,
        "who must trump must beat the trick if possible",
        "nobody has to overtrump",
    ),
    "must_head": lambda r: _flag(
        r.must_head,
        "who follows suit must beat the trick if possible",
        "who follows suit may play any card of it",
    ),
    "scoring": lambda r: points_in_words(r.coefficients),
    "target_score": lambda r: _set(r.target_score, "target: {}", "no target"),
    "stake_per_point": lambda r: f"stake: {r.stake_per_point} a point",
    "max_deals": lambda r: _set(
        r.max_deals, "at most {} deals", "no limit to the number of deals"
    ),
}


def points_in_words(coefficients: Coefficients | None) -> str:
    """Say the formula; None stands for the scheme `ninety_nine`."""
    if coefficients is None:
        return (
            "1 a trick; 10, 20 or 30 more for each bid made as three, two or one are;"
            " 30 for declaring, 60 for revealing, to the claimant who makes the bid,"
            " else to each of the others"
        )
    k = coefficients
    made = _sum((k.A, ""), (k.B, "bid"), (k.Q, "bid*bid"))
    zero = _sum((k.Z0, ""), (k.Zc, "cards"))
    missed = _sum((k.M0, ""), (k.Mt, "won"), (k.Md, "off"), (k.Mq, "off*off"))
    return f"bid made: {made}; zero made: {zero}; missed: {missed}{_where(missed)}"


def _where(missed: str) -> str:
    named = {"won": "tricks won", "off": "tricks off the bid"}
    said = [f"{name} = {of}" for name, of in named.items() if name in missed]
    return f" ({', '.join(said)})" if said else ""


def _sum(*terms: tuple[int, str]) -> str:
    text = ""
    for factor, of in terms:
        if not factor:
            continue
        size = abs(factor)
        term = of if of and size == 1 else f"{size}*{of}" if of else str(size)
        if text:
            text += f" {'-' if factor < 0 else '+'} {term}"
        else:
            text = f"-{term}" if factor < 0 else term
    return text or "0"


class Section(NamedTuple):
    """A heading of the page, and its sentences."""

    heading: str
    sentences: tuple[str, ...]


# What a value has that adds nothing to the plain game, and so is not said on the page.
_UNSAID: Final[Mapping[str, object]] = {
    "direction": "clockwise",
    "rank_order": "A_high",
    "deal_kinds": None,
    "trump_suit": None,
    "trump_sequence": None,
    "turnup_min_rank": None,
    "turnup_joker": "not_applicable",
    "no_trump_deals": "none",
    "full_pack_trump": "none",
    "hook_min_cards": 1,
    "last_bid_amend": "none",
    "no_bid_at_score": None,
    "forehead": "none",
    "must_overtrump": False,
    "must_head": False,
    "joker_mode": "none",
    "target_score": None,
    "overshoot": "none",
    "settlement": "none",
    "stake_per_point": 0,
    "max_deals": None,
}
_SECTIONS: Final[Mapping[str, Sequence[str]]] = {
    "Cards": ("pack", "rank_order", "duplicate_winner"),
    "Deals": ("deal_kinds", "direction", "first_dealer"),
    "Trump": (
        *("trump_method", "trump_sequence", "trump_suit", "turnup_min_rank"),
        *("turnup_joker", "no_trump_deals", "full_pack_trump"),
    ),
    "Bidding": (
        *("bid_mode", "hook", "hook_min_cards", "bid_amend", "last_bid_amend"),
        *("no_bid_at_score", "forehead"),
    ),
    "Play": (
        *("first_leader", "must_trump", "must_overtrump", "must_head"),
        *("joker_mode", "joker_opposite_scope"),
    ),
    "Points": ("scoring",),
    "End": (
        *("end", "target_score", "overshoot", "tie_policy", "settlement"),
        *("stake_per_point", "max_deals"),
    ),
}


def page(rules: Rules, players: int) -> Iterator[Section]:
    """Tell legal rules to somebody who plays by them with so many players."""
    for heading, names in _SECTIONS.items():
        said = [_of_table(name, rules, players) for name in names]
        sentences = [text for text in said if text]
        if heading == "Deals":
            sentences.insert(0, plan_in_words(deal_plan(rules, players)))
        yield Section(heading, tuple(sentences))


def _of_table(name: str, rules: Rules, players: int) -> str:
    if name in _UNSAID and getattr(rules, name) == _UNSAID[name]:
        return ""
    match name:
        case "pack":
            return PACK_WORDS[rules.pack_for(players).name]
        case "duplicate_winner" if rules.pack_for(players).name not in _DOUBLED:
            return ""
        case "joker_opposite_scope" if rules.joker_mode is not JokerMode.HIGH_LOW:
            return ""
        case _:
            return in_words(name, rules)


def plan_in_words(plan: Plan) -> str:
    """Say the hand sizes in order."""
    if plan.length is None:
        return f"{plan.largest} cards each, deal after deal until the match ends"
    deals = "1 deal" if plan.length == 1 else f"{plan.length} deals"
    return f"{deals}, cards each: {_shortened(plan.sizes())}"


def _shortened(sizes: Iterator[int] | Sequence[int]) -> str:
    runs = ((size, len(list(same))) for size, same in groupby(sizes))
    texts = [f"{size}x{times}" if times > 1 else str(size) for size, times in runs]
    more = " ..." if len(texts) > _LONGEST_PLAN else ""
    return " ".join(islice(texts, _LONGEST_PLAN)) + more
