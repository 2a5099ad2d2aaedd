"""Tables under a clock that a test moves, with players that only note what comes."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.fallback import Command, PlaceBid, PlayCard
from engine.rules import Rules
from engine.shuffle import SeededDecks, block_seed
from engine.trick import JokerCall
from engine.view import view
from server.clock import NO_CLOCK, Alarms, TimeControl
from server.decision import Question, Reply
from server.observe import Observer
from server.outcome import Outcome
from server.players.port import Link, Withdrawal
from server.setup import TableSetup
from server.table import Table

SEATS = 4


class HandClock:
    """Time that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.alarms = Alarms(lambda: self.now)

    def move(self, seconds: float) -> None:
        """Goes on, and rings what is due on the way."""
        until = self.now + seconds
        while (at := self.alarms.next_at()) is not None and at <= until:
            self.now = max(self.now, at)
            self.alarms.ring(self.now)
        self.now = until


@dataclass
class NotingPlayer:
    """Takes every question over at once, and answers none by itself."""

    clock: HandClock
    link: Link = Link.DIAL_IN
    asked: list[Question] = field(default_factory=list)
    withdrawn: list[Withdrawal] = field(default_factory=list)
    outcome: Outcome | None = None

    def seated(self, table: Table, seat: int) -> None:
        """Nothing to note."""

    def ask(self, question: Question) -> None:
        self.asked.append(question)
        question.table.handed_over(question, self.clock.now)

    def has(self, question: Question) -> bool:
        return False

    def withdraw(self, question: Question, why: Withdrawal) -> None:
        self.withdrawn.append(why)

    def ended(self, outcome: Outcome) -> None:
        self.outcome = outcome


def setup(
    preset: str = "pagat_standard",
    *,
    seats: int = SEATS,
    table: str = "t",
    clock: TimeControl = NO_CLOCK,
    amendments: bool = False,
    block: int = 0,
    overrides: dict[str, object] | None = None,
) -> TableSetup:
    rules = Rules.of(preset, overrides, players=seats)
    if not amendments:
        rules = rules.without_amending()
    seed = block_seed(bytes(32), block, 0)
    return TableSetup(
        table=table,
        rules=rules,
        players=("anna", "ben", "cleo", "dirk", "emil", "fina", "gero")[:seats],
        first_dealer=seats - 1,
        decks=SeededDecks(seed, rules, seats),
        bot_seeds=(bytes(16),) * seats,
        preset=preset,
        rules_hash=rules.hash(seats),
        clock=clock,
        amendments=amendments,
    )


@dataclass
class Game:
    """A started table of noting players; seat 0 bids first."""

    clock: HandClock
    table: Table
    players: list[NotingPlayer]
    ended: list[Table]

    def question(self) -> Question:
        """The one open question."""
        (question,) = [q for q in self.table.open if q is not None]
        return question

    def legal(self) -> Command:
        """The first legal answer to it."""
        question = self.question()
        seen = view(self.table.match, question.seat)
        if seen.legal_bids:
            return PlaceBid(seen.legal_bids[0])
        return PlayCard(seen.legal_cards[0], JokerCall.NONE)

    def send(self, command: Command | None, attempt: int = 0) -> Reply:
        question = self.question()
        return self.table.answer(
            question.seat, question.seq, attempt, command, self.clock.now
        )

    def play_on(self) -> None:
        """Answers for everybody until the match is over."""
        while self.table.outcome is None:
            assert self.send(self.legal()).accepted


def game(
    table_setup: TableSetup | None = None,
    *,
    link: Link = Link.DIAL_IN,
    observer: Observer | None = None,
) -> Game:
    clock = HandClock()
    prepared = table_setup or setup()
    players = [NotingPlayer(clock, link) for _ in prepared.players]
    ended: list[Table] = []
    table = Table(
        prepared,
        players,
        alarms=clock.alarms,
        observer=observer or Observer(),
        on_end=ended.append,
    )
    table.start()
    return Game(clock, table, players, ended)
