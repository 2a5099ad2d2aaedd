"""How parameters must go together: the numbered combination rules of docs/rules.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import Code, Violation
from engine.pack import Pack, PackName
from engine.parameters import (
    BidMode,
    DealKind,
    DealShape,
    End,
    Forehead,
    FullPackTrump,
    JokerMode,
    NoTrumpDeals,
    Overshoot,
    RankOrder,
    TrumpMethod,
    TurnupJoker,
)
from engine.plan import Plan, cards_dealt, deal_plan
from engine.scoring import NINETY_NINE

if TYPE_CHECKING:
    from engine.rules import Rules


class RulesWarning(NamedTuple):
    """`rule` is the number of the combination rule that asks for it."""

    rule: str
    parameter: str
    message: str


class Fault(NamedTuple):
    parameter: str
    message: str


class Setup:
    """Rules for a number of players; `plan` is None while hand sizes are at fault."""

    __slots__ = ("plan", "players", "rules")

    def __init__(self, rules: Rules, players: int, plan: Plan | None = None) -> None:
        self.rules = rules
        self.players = players
        self.plan = plan

    @property
    def pack(self) -> Pack:
        return self.rules.pack_for(self.players)

    def kinds(self) -> list[tuple[int, DealKind]]:
        """Special deals that will be played; a number beyond the plan has no effect."""
        if self.plan is None:
            return []
        return [
            (deal, kind)
            for deal, kind in self.rules.deal_kinds or ()
            if kind is not DealKind.NORMAL and not self.plan.is_extra(deal)
        ]


# A value that somebody sends comes back in messages, but not at any length.
LONGEST_SHOWN: Final = 120

Check = Callable[[Setup], Iterator[Fault]]


class Combination(NamedTuple):
    """A check, and the parameters without which it cannot be asked."""

    rule: str
    reads: AbstractSet[str]
    check: Check


_PLAN: Final = frozenset(
    {"deal_shape", "deal_low", "deal_high", "deal_step", "deal_list", "deal_count"}
    | {"turn_repeat", "end_repeat", "pack", "bid_mode"}
)


def combination_violations(
    rules: Rules, players: int, unreadable: AbstractSet[str] = frozenset()
) -> list[Violation]:
    """Every combination rule that is broken, except those that read `unreadable`."""
    setup = Setup(rules, players)
    found = _broken(_BY_COUNT, setup, unreadable)
    unreadable = unreadable | {violation.parameter for violation in found}
    found += _broken(_SIZES, setup, unreadable)
    if not found and not unreadable & _PLAN:
        setup = Setup(rules, players, deal_plan(rules, players))
    return found + _broken(_COMBINATIONS, setup, unreadable)


def warnings_of(rules: Rules, players: int) -> tuple[RulesWarning, ...]:
    largest = rules.no_trump_deals is NoTrumpDeals.LARGEST
    if largest and rules.deal_shape is DealShape.FIXED:
        return (
            RulesWarning(
                "10",
                "no_trump_deals",
                "no_trump_deals = largest with deal_shape = fixed: no deal of the"
                f" match has a trump (all have {rules.deal_high_for(players)} cards)",
            ),
        )
    return ()


def written(value: object) -> str:
    """A value as it stands in a spec, cut short; no JSON is as Python writes it."""
    try:
        text = json.dumps(value, default=repr)
    except (TypeError, ValueError, RecursionError):
        # Keys of other types, a list in itself, a number of thousands of digits.
        return f"<{type(value).__name__}>"
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."


def _broken(
    combinations: tuple[Combination, ...], setup: Setup, unreadable: AbstractSet[str]
) -> list[Violation]:
    return [
        Violation(
            Code.BAD_CONFIG,
            combination.rule,
            fault.parameter,
            written(setup.rules.parameters()[fault.parameter]),
            fault.message,
        )
        for combination in combinations
        if not combination.reads & unreadable
        for fault in combination.check(setup)
    ]


def _maps_hold_n(setup: Setup) -> Iterator[Fault]:
    values = {
        "pack": setup.rules.pack,
        "deal_high": setup.rules.deal_high,
        "deal_count": setup.rules.deal_count,
    }
    for name, value in values.items():
        if isinstance(value, tuple) and setup.players not in dict(value):
            counts = " ".join(str(n) for n, _ in value)
            yield Fault(
                name,
                f"{name} is a map without {setup.players} players: it has {counts}",
            )


def _seat_of_first_dealer(setup: Setup) -> Iterator[Fault]:
    seat = setup.rules.first_dealer.removeprefix("seat:")
    if seat.isdigit() and int(seat) >= setup.players:
        yield Fault(
            "first_dealer",
            f"first_dealer = seat:{seat}: seats are 0 to {setup.players - 1}",
        )


def _needed(setup: Setup) -> Iterator[Fault]:
    rules = setup.rules
    methods = {
        "trump_method": rules.trump_method.value,
        "full_pack_trump": rules.full_pack_trump.value,
    }
    for name, method in methods.items():
        if method == TrumpMethod.FIXED and rules.trump_suit is None:
            yield Fault("trump_suit", f"{name} = fixed needs trump_suit: C, D, H or S")
        if method == TrumpMethod.ROTATION and rules.trump_sequence is None:
            yield Fault(
                "trump_sequence",
                f"{name} = rotation needs trump_sequence: a list of C, D, H, S, NT",
            )
    if rules.target_score is None:
        if rules.end is not End.ALL_DEALS:
            yield Fault("target_score", f"end = {rules.end} needs a target_score")
        if rules.overshoot is Overshoot.BOUNCE:
            yield Fault("target_score", "overshoot = bounce needs a target_score")


def _hands_fit(setup: Setup) -> Iterator[Fault]:
    rules = setup.rules
    if rules.deal_shape is DealShape.LIST:
        name = "deal_list"
        if rules.deal_list is None:
            return
        largest = max(rules.deal_list)
    else:
        name = "deal_high"
        largest = rules.deal_high_for(setup.players)
    room = setup.pack.size // setup.players - cards_dealt(rules, 0)
    if largest > room:
        yield Fault(
            name,
            f"{name}: hands of {largest} for {setup.players} players do not fit the"
            f" pack {setup.pack.name} of {setup.pack.size} cards; at most {room}",
        )


def _low_below_high(setup: Setup) -> Iterator[Fault]:
    rules = setup.rules
    if rules.deal_shape in (DealShape.FIXED, DealShape.LIST):
        return
    high = rules.deal_high_for(setup.players)
    if rules.deal_low >= high:
        yield Fault(
            "deal_low",
            f"deal_low = {rules.deal_low} must be below deal_high = {high} for"
            f" deal_shape = {rules.deal_shape}; for one size use deal_shape = fixed",
        )


def _list_needs_sizes(setup: Setup) -> Iterator[Fault]:
    if setup.rules.deal_shape is DealShape.LIST and setup.rules.deal_list is None:
        yield Fault("deal_list", "deal_shape = list needs deal_list: a list of sizes")


def _hook_needs_turns(setup: Setup) -> Iterator[Fault]:
    if setup.rules.hook and setup.rules.bid_mode is not BidMode.TURN:
        yield Fault(
            "hook",
            f"hook = true needs bid_mode = turn; with {setup.rules.bid_mode} nobody"
            " is last to bid",
        )


def _rank_limit_needs_upcard(setup: Setup) -> Iterator[Fault]:
    if setup.rules.turnup_min_rank is None:
        return
    if setup.rules.trump_method is not TrumpMethod.TURN_UP:
        yield Fault(
            "turnup_min_rank",
            "turnup_min_rank needs trump_method = turn_up; otherwise it must be null",
        )
    if setup.pack.name is PackName.SPANISH40:
        yield Fault(
            "turnup_min_rank",
            "turnup_min_rank must be null with the pack spanish40: its ranks have no"
            " such numbers",
        )


def _forehead_needs_one_card(setup: Setup) -> Iterator[Fault]:
    plan = setup.plan
    if plan is None:
        return
    match setup.rules.forehead:
        case Forehead.NONE:
            return
        case Forehead.LAST_ONE_CARD:
            if plan.last_size != 1:
                last = plan.last_size or "none, for the plan has no end"
                yield Fault(
                    "forehead",
                    "forehead = last_one_card needs a last deal of one card; its size"
                    f" is {last}",
                )
        case Forehead.ALL_ONE_CARD:
            if not plan.has_size(1):
                yield Fault(
                    "forehead", "forehead = all_one_card needs a deal of one card"
                )


def _jokers_match_pack(setup: Setup) -> Iterator[Fault]:
    mode = setup.rules.joker_mode
    pack = setup.pack
    if pack.joker_mask:
        fitting = [JokerMode.SUIT, JokerMode.HIGH_LOW]
    elif pack.wizard_mask:
        fitting = [JokerMode.WIZARD]
    else:
        fitting = [JokerMode.NONE]
    if mode not in fitting:
        yield Fault(
            "joker_mode",
            f"joker_mode = {mode} does not go with the pack {pack.name}: it must be"
            f" {' or '.join(fitting)}, or the pack another",
        )


def _high_low_needs_known_trump(setup: Setup) -> Iterator[Fault]:
    method = setup.rules.trump_method
    if setup.rules.joker_mode is JokerMode.HIGH_LOW and method not in (
        TrumpMethod.ROTATION,
        TrumpMethod.FIXED,
    ):
        yield Fault(
            "trump_method",
            "joker_mode = high_low needs trump_method = rotation or fixed, not"
            f" {method}",
        )


def _must_be_able_to_end(setup: Setup) -> Iterator[Fault]:
    rules = setup.rules
    if rules.deal_shape is not DealShape.FIXED:
        return
    if rules.deal_count is not None:
        return
    if rules.end is End.ALL_DEALS or rules.max_deals is None:
        yield Fault(
            "deal_count",
            "deal_count = null is a plan without end: it needs a target"
            " (end = exact_target or target_reached) and max_deals",
        )


def _high_low_has_no_best_card(setup: Setup) -> Iterator[Fault]:
    rules = setup.rules
    if rules.joker_mode is not JokerMode.HIGH_LOW:
        return
    for name, value in (
        ("must_head", rules.must_head),
        ("must_overtrump", rules.must_overtrump),
    ):
        if value:
            yield Fault(name, f"{name} must be false with joker_mode = high_low")


def _rank_order_is_of_pack(setup: Setup) -> Iterator[Fault]:
    spanish = setup.pack.name is PackName.SPANISH40
    right = RankOrder.SPANISH_A3 if spanish else RankOrder.A_HIGH
    if setup.rules.rank_order is not right:
        yield Fault(
            "rank_order",
            f"rank_order must be {right} with the pack {setup.pack.name}",
        )


def _turned_up_jokers_mean_something(setup: Setup) -> Iterator[Fault]:
    rules = setup.rules
    if rules.trump_method is TrumpMethod.TURN_UP:
        fitting = {
            JokerMode.SUIT: [TurnupJoker.JOKER_SUIT_TRUMP, TurnupJoker.REDRAW],
            JokerMode.WIZARD: [TurnupJoker.WIZARD_RULES],
        }.get(rules.joker_mode, list(TurnupJoker))
        if rules.turnup_joker not in fitting:
            yield Fault(
                "turnup_joker",
                f"turnup_joker must be {' or '.join(fitting)} with joker_mode ="
                f" {rules.joker_mode} and trump_method = turn_up",
            )
    shows_last = rules.full_pack_trump is FullPackTrump.DEALER_LAST_CARD
    if shows_last and setup.pack.has_special_cards:
        yield Fault(
            "full_pack_trump",
            "full_pack_trump = dealer_last_card needs a pack without jokers, wizards"
            f" and jesters, not {setup.pack.name}",
        )


def _bid_cards_and_ninety_nine(setup: Setup) -> Iterator[Fault]:
    bids_with_cards = setup.rules.bid_mode is BidMode.BID_CARDS
    scores_them = setup.rules.scoring == NINETY_NINE
    if bids_with_cards and not scores_them:
        yield Fault("scoring", f"scoring must be {NINETY_NINE} with bid_mode bid_cards")
    if scores_them and not bids_with_cards:
        yield Fault(
            "bid_mode", f"bid_mode must be bid_cards with scoring {NINETY_NINE}"
        )


def _games_of_three(setup: Setup) -> Iterator[Fault]:
    if setup.players == 3:
        return
    if setup.rules.scoring == NINETY_NINE:
        yield Fault("scoring", f"scoring = {NINETY_NINE} is for 3 players")
    if setup.rules.trump_method is TrumpMethod.PREVIOUS_SUCCESSES:
        yield Fault(
            "trump_method", "trump_method = previous_successes is for 3 players"
        )


def _bid_cards_exclude(setup: Setup) -> Iterator[Fault]:
    rules = setup.rules
    if rules.bid_mode is not BidMode.BID_CARDS:
        return
    if setup.pack.has_special_cards:
        yield Fault(
            "pack",
            "bid_mode = bid_cards needs a pack without jokers, wizards and jesters,"
            f" not {setup.pack.name}",
        )
    if setup.kinds():
        deal, kind = setup.kinds()[0]
        yield Fault(
            "deal_kinds",
            f"bid_mode = bid_cards needs normal deals only; deal {deal} is {kind}",
        )
    if rules.forehead is not Forehead.NONE:
        yield Fault("forehead", "forehead must be none with bid_mode = bid_cards")
    if rules.no_bid_at_score is not None:
        yield Fault(
            "no_bid_at_score", "no_bid_at_score must be null with bid_mode = bid_cards"
        )


def _wizards_are_turned_before_bids(setup: Setup) -> Iterator[Fault]:
    if setup.rules.joker_mode is not JokerMode.WIZARD:
        return
    for deal, kind in setup.kinds():
        if kind.hides_upcard:
            yield Fault(
                "deal_kinds",
                f"deal {deal} = {kind} does not go with joker_mode = wizard: the"
                " dealer may have to name the trump before the bids",
            )


# Rules 3 and 10 refuse nothing: a deal that uses up the pack is without trump, and a
# match entirely without trump is worth a warning.
_BY_COUNT: Final = (Combination("1", frozenset(), _maps_hold_n),)
_SIZES: Final = (
    Combination("2", _PLAN, _hands_fit),
    Combination("12", {"deal_shape", "deal_low", "deal_high"}, _low_below_high),
    Combination("domain", {"deal_shape", "deal_list"}, _list_needs_sizes),
)
_COMBINATIONS: Final = (
    Combination("4", {"hook", "bid_mode"}, _hook_needs_turns),
    Combination(
        "5", {"turnup_min_rank", "trump_method", "pack"}, _rank_limit_needs_upcard
    ),
    Combination("6", _PLAN | {"forehead"}, _forehead_needs_one_card),
    Combination("7", {"joker_mode", "pack"}, _jokers_match_pack),
    Combination("8", {"joker_mode", "trump_method"}, _high_low_needs_known_trump),
    Combination(
        "9", {"deal_shape", "deal_count", "end", "max_deals"}, _must_be_able_to_end
    ),
    Combination(
        "11", {"joker_mode", "must_head", "must_overtrump"}, _high_low_has_no_best_card
    ),
    Combination("domain", {"first_dealer"}, _seat_of_first_dealer),
    Combination(
        "domain",
        {"trump_method", "full_pack_trump", "trump_suit", "trump_sequence"}
        | {"end", "overshoot", "target_score"},
        _needed,
    ),
    Combination("14", {"rank_order", "pack"}, _rank_order_is_of_pack),
    Combination(
        "15",
        {"trump_method", "turnup_joker", "joker_mode", "full_pack_trump", "pack"},
        _turned_up_jokers_mean_something,
    ),
    Combination("16", {"bid_mode", "scoring"}, _bid_cards_and_ninety_nine),
    Combination("16", {"scoring", "trump_method"}, _games_of_three),
    Combination(
        "17",
        {"bid_mode", "pack", "deal_kinds", "forehead", "no_bid_at_score"},
        _bid_cards_exclude,
    ),
    Combination("18", {"joker_mode", "deal_kinds"}, _wizards_are_turned_before_bids),
)
