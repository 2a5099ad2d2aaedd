"""What a decision costs inside the engine: the command, and the next seat's view.

Whole matches of the standard rules, four players who answer with the first legal bid or
card. The commands of a match are sent once without and once with a view of the seat on
turn before each; what the second takes longer is the views. Shuffles are done before.
"""

from __future__ import annotations

import statistics
import time
from typing import NamedTuple

from benchmarks.flavours import IN_FORCE
from engine import ChooseTrump, Command, Match, Phase, PlaceBid, PlayCard, Rules, view
from engine.course import Decks
from engine.events import Cause
from engine.fallback import act
from engine.shuffle import SeededDecks
from engine.trick import JokerCall

PLAYERS = 4
_MATCHES = 8
_ROUNDS = 9
RULES = Rules.of("pagat_standard")


class Played(NamedTuple):
    """What it takes to play a match again: decks, and commands with their seats."""

    decks: tuple[tuple[int, ...], ...]
    dealer: int
    commands: tuple[tuple[int, Command], ...]

    def started(self) -> Match:
        """Begin it anew."""
        decks = self.decks.__getitem__
        match = Match(RULES, PLAYERS, first_dealer=self.dealer, decks=decks)
        match.start()
        return match


def first_legal_match(shuffled: Decks, dealer: int) -> Played:
    """Play a match in which everybody does the first thing that is legal."""
    decks: list[tuple[int, ...]] = [()]

    def deck(deal: int) -> tuple[int, ...]:
        decks.append(tuple(shuffled(deal)))
        return decks[deal]

    match = Match(RULES, PLAYERS, first_dealer=dealer, decks=deck)
    match.start()
    commands: list[tuple[int, Command]] = []
    while match.phase is not Phase.OVER:
        seat = match.to_act()[0]
        seen = view(match, seat)
        command: Command
        if seen.legal_bids:
            command = PlaceBid(seen.legal_bids[0])
        elif seen.legal_suits:
            command = ChooseTrump(seen.legal_suits[0])
        else:
            command = PlayCard(seen.legal_cards[0], JokerCall.NONE)
        commands.append((seat, command))
        act(match, seat, command, Cause.ANSWER)
    return Played(tuple(decks), dealer, tuple(commands))


def seconds_of_commands(matches: list[Played]) -> float:
    """CPU time of the commands alone."""
    cause = Cause.ANSWER
    begun = time.process_time()
    for played in matches:
        match = played.started()
        for seat, command in played.commands:
            act(match, seat, command, cause)
    return time.process_time() - begun


def seconds_with_views(matches: list[Played]) -> float:
    """CPU time of the same commands with a view before each."""
    cause = Cause.ANSWER
    begun = time.process_time()
    for played in matches:
        match = played.started()
        for seat, command in played.commands:
            view(match, seat)
            act(match, seat, command, cause)
    return time.process_time() - begun


def main() -> bool:
    """Measure and print; there is no peer to be compared with, so no floor."""
    matches = [
        first_legal_match(SeededDecks(number.to_bytes(32), RULES, PLAYERS), 0)
        for number in range(_MATCHES)
    ]
    decisions = sum([len(played.commands) for played in matches])
    commands = []
    views = []
    for _ in range(_ROUNDS):
        alone = seconds_of_commands(matches) / decisions
        both = seconds_with_views(matches) / decisions
        commands.append(alone * 1e6)
        views.append((both - alone) * 1e6)
    print(f"decisions ({IN_FORCE.value}): whole matches, {PLAYERS} players, CPU time")
    print(f"  a command {statistics.median(commands):6.2f} us")
    print(f"  a view    {statistics.median(views):6.2f} us")
    return True


if __name__ == "__main__":
    main()
