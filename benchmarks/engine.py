"""The engine against OpenSpiel: random playouts of a deal of ten, four players.

Both deal, bid with the hook, play forty cards and score. OpenSpiel and the pure engine
are driven by a loop in Python that chooses with a ``random.Random``: one call for what
is legal, one for the move. A compiled engine is stepped in the same way, with dice that
borrow the generator, and plays whole hands by itself.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeVar

import pyspiel

from benchmarks.flavours import IN_FORCE, Flavour, built
from benchmarks.goals import Goal, report
from engine.course import Decks
from engine.deal import Deal, deal_rules
from engine.events import Cause
from engine.fallback import act, fallback
from engine.match import Match
from engine.pack import BIT
from engine.phase import Phase
from engine.plan import deal_plan
from engine.presets import preset_names
from engine.rules import Rules
from engine.shuffle import SeededDecks
from engine.view import view
from engine.worlds import BorrowedDice, Dice, dealt, play_out_by_chance

Chance = TypeVar("Chance")

PLAYERS = 4
CARDS = 10
_ROUNDS = 7
_HANDS = 3000
FLOOR = 0.7
COMPILED_FLOOR = 2.5
DRIVEN_FLOOR = 6.0

_SPIEL = pyspiel.load_game(f"oh_hell(players={PLAYERS},num_tricks_fixed={CARDS})")

_RULES = Rules.of("pagat_standard")
_SHARED = deal_rules(_RULES, PLAYERS)
_PACK = _SHARED.pack
_KINDS = range(len(_PACK.kinds))
_WHOLE_PACK = [*_KINDS]
_BIT_OF = BIT.__getitem__
_SUITS = [next(s for s in range(1, 5) if _PACK.suit_mask[s] & BIT[k]) for k in _KINDS]
_NONE_TWICE = (0,) * PLAYERS


def top_cards(fraction: Callable[[], float]) -> list[int]:
    """Draw the cards of a deal and the one turned up; a tenth quicker than `sample`."""
    pack = _WHOLE_PACK[:]
    left = len(pack)
    cards = []
    for _ in range(PLAYERS * CARDS + 1):
        place = int(fraction() * left)
        left -= 1
        cards.append(pack[place])
        pack[place] = pack[left]
    return cards


def openspiel_playout(rng: random.Random) -> None:
    """Play one hand with OpenSpiel, dealt from a shuffle: the fastest Python driver."""
    fraction = rng.random
    state = _SPIEL.new_initial_state()
    apply, legal = state.apply_action, state.legal_actions
    apply(legal()[0])
    dealers = legal()
    apply(dealers[int(fraction() * len(dealers))])
    for card in top_cards(fraction):
        apply(card)
    while not state.is_terminal():
        actions = legal()
        apply(actions[int(fraction() * len(actions))])
    state.returns()


def our_playout(rng: random.Random) -> None:
    """Play one hand with the engine's `Deal`, whose moves are bits of a set."""
    fraction = rng.random
    cards = top_cards(fraction)
    held = [sum(map(_BIT_OF, cards[seat:-1:PLAYERS])) for seat in range(PLAYERS)]
    dealer = int(fraction() * PLAYERS)
    trump = _SUITS[cards[-1]]
    deal = Deal.begin(
        _SHARED, held, _NONE_TWICE, size=CARDS, dealer=dealer, trump=trump
    )
    while deal.to_bid:
        deal.bid(_pick(deal.legal_bids(), fraction))
    legal, play = deal.legal_cards, deal.play
    while deal.left:
        play(_pick(legal(), fraction))
    deal.points()


def _pick(options: int, fraction: Callable[[], float]) -> int:
    """Draw one bit of a set: the number of its place."""
    for _ in range(int(fraction() * options.bit_count())):
        options &= options - 1
    return (options & -options).bit_length() - 1


def hands_per_second(
    playout: Callable[[Chance], None], chance: Chance, hands: int
) -> float:
    """Time ``hands`` playouts on the process's CPU clock."""
    start = time.process_time()
    for _ in range(hands):
        playout(chance)
    return hands / (time.process_time() - start)


def stepped_playout(dice: Dice) -> None:
    """As `our_playout`, with what is dealt and chosen drawn by dice of the engine."""
    deal = dealt(_SHARED, CARDS, dice)
    while deal.to_bid:
        deal.bid(dice.one_of(deal.legal_bids()))
    while deal.left:
        deal.play(dice.one_of(deal.legal_cards()))
    deal.points()


def driven_playout(dice: Dice) -> None:
    """A hand in three calls: nothing of it is decided in Python."""
    deal = dealt(_SHARED, CARDS, dice)
    play_out_by_chance(deal, dice)
    deal.points()


def nanoseconds(call: Callable[[], object], calls: int = 20_000) -> float:
    """Time one call on the process's CPU clock; the least of five rounds."""
    times = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(calls):
            call()
        times.append((time.process_time() - start) / calls * 1e9)
    return min(times)


def match_seconds(matches: int = 10) -> float:
    """CPU seconds of a whole match with its log, all seats doing what is dull."""
    decks = [SeededDecks(bytes([n]) * 32, _RULES, PLAYERS) for n in range(matches)]
    start = time.process_time()
    for deck in decks:
        played(_RULES, PLAYERS, deck, until_over=True)
    return (time.process_time() - start) / matches


def played(
    rules: Rules, players: int, decks: Decks, *, until_over: bool = False
) -> Match:
    """A match that has begun, or one that is over and has all of its history."""
    match = Match(rules, players, first_dealer=0, decks=decks)
    match.start()
    while until_over and match.phase is not Phase.OVER:
        seat = match.to_act()[0]
        act(match, seat, fallback(match, seat), Cause.ANSWER)
    return match


def table_bytes(rules: Rules, players: int, *, until_over: bool) -> float:
    """Memory of one match among fifty, without decks and what matches share."""
    decks = [SeededDecks(bytes([n]) * 32, rules, players) for n in range(50)]
    played(rules, players, decks[0], until_over=until_over)
    gc.collect()
    tracemalloc.start()
    kept = [played(rules, players, deck, until_over=until_over) for deck in decks]
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(kept)


def longest_preset() -> tuple[str, int]:
    """The preset and players with the most plays, of those whose end is planned."""

    def plays(preset: str, players: int) -> int:
        plan = deal_plan(Rules.of(preset), players)
        return 0 if plan.length is None else sum(plan.sizes()) * players

    return max(
        [(p, n) for p in preset_names() for n in Rules.of(p).players],
        key=lambda table: plays(*table),
    )


def ratio_to_openspiel(ours: Callable[[], float]) -> float:
    """Measure in turns, and print; the median of the ratios."""
    ratios = []
    for _ in range(_ROUNDS):
        theirs = hands_per_second(openspiel_playout, random.Random(1), _HANDS)  # noqa: S311
        ratios.append(ours() / theirs)
    return statistics.median(ratios)


def line(name: str, ratio: float) -> None:
    """Print a ratio that has no bound."""
    print(f"     {'':4}{name:58}{ratio:6.2f}")


def costs() -> Iterator[Goal]:
    """What a search and a prompt cost beside OpenSpiel's, and the size of a table."""
    deal = dealt(_SHARED, CARDS, Dice(1))
    state = _SPIEL.new_initial_state()
    while len(state.history()) < PLAYERS * (CARDS + 2) + 3:
        state.apply_action(state.legal_actions()[-1])
    for name, ours, theirs in (
        ("copy of a deal", deal.copy, state.clone),
        ("legal cards", deal.legal_cards, state.legal_actions),
    ):
        took = f"{nanoseconds(ours):.0f} ns, OpenSpiel {nanoseconds(theirs):.0f} ns"
        print(f"  {name}: {took}")
    print(
        f"  whole matches of pagat_standard, with events: {1 / match_seconds():.0f}/s"
    )
    copies = nanoseconds(deal.copy) / nanoseconds(state.clone)
    yield Goal("G9", "copy of a deal by OpenSpiel's", copies, 1.0, at_most=True)
    match = played(_RULES, PLAYERS, SeededDecks(bytes(32), _RULES, PLAYERS))
    seat = match.to_act()[0]
    tensor = nanoseconds(lambda: state.information_state_tensor(0), 2_000)
    tensor /= nanoseconds(lambda: view(match, seat), 2_000)
    if IN_FORCE is built()[-1]:
        yield Goal("G9", "OpenSpiel's tensor by a view of a seat", tensor, 50)
    else:
        line("OpenSpiel's tensor by a view of a seat", tensor)
    preset, players = longest_preset()
    print(f"  memory of a table of {preset} with {players} players:")
    for name, text, until_over, bound in (
        ("G11", "KB of a table that has begun", False, 4),
        ("G11", "KB of a table with all of its history", True, 80),
    ):
        size = table_bytes(Rules.of(preset), players, until_over=until_over) / 1024
        yield Goal(name, text, size, bound, at_most=True)


def playouts() -> Iterator[Goal]:
    """Random playouts by OpenSpiel's."""
    rng = random.Random(1)  # noqa: S311  (a playout, not a secret)
    by_python = ratio_to_openspiel(lambda: hands_per_second(our_playout, rng, _HANDS))
    if IN_FORCE is Flavour.PURE:
        yield Goal("G6", "playouts by OpenSpiel's, pure Python", by_python, FLOOR)
        return
    own, borrowed = Dice(1), BorrowedDice(rng.random)

    def ratio(playout: Callable[[Dice], None], dice: Dice) -> float:
        return ratio_to_openspiel(lambda: hands_per_second(playout, dice, _HANDS))

    line("stepped, chosen in Python", by_python)
    stepped = ratio(stepped_playout, borrowed)
    yield Goal("G7", "stepped, dice borrow random.Random", stepped, COMPILED_FLOOR)
    line("stepped, dice of its own", ratio(stepped_playout, own))
    line("played out, dice borrow random.Random", ratio(driven_playout, borrowed))
    driven = ratio(driven_playout, own)
    yield Goal("G7", "played out, dice of its own", driven, DRIVEN_FLOOR)


def main() -> bool:
    """Measure and print; whether all floors were reached."""
    print(
        f"engine ({IN_FORCE.value}): {PLAYERS} players, {CARDS} cards, beside OpenSpiel"
    )
    return report(chain(playouts(), costs()))


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
