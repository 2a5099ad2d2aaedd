"""A person at a table of house bots: asks, explains, and shows what happens.

All that is shown comes from the views and events of the person's seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, assert_never

from cli.play.faces import Faces
from cli.play.reading import (
    Bid,
    BidCards,
    Card,
    NotUnderstood,
    Suit,
    Typed,
    Word,
    understood,
)
from cli.play.screen import Screen, amounts, wrapped
from cli.play.story import Story
from cli.rules.naming import Choice
from cli.rules.showing import words_lines
from cli.seating import HouseTable
from engine import Ask, Phase, Refusal, View, project, view
from engine.plan import deal_plan

_HELP = """\
Type what you are asked for, and Enter:
  a bid     a whole number
  a card    rank and suit: KH is the king of hearts, TS or 10S the ten of
            spades; small letters will do; jokers X1 X2, wizards W1 to W4,
            jesters F1 to F4, sota caballo rey S C R
  a joker   X1 high, or X1 low, where jokers are called
  bid cards three cards, and declare or reveal to claim the premium: 2C 3H 4D
            declare
  a suit    C D H or S
or one of these, at any time:
  bid N     changes your bid, while that is allowed
  rules     the rules of this game
  scores    totals after every deal
  trick     the last trick
  quit      leave the table"""


class Left(Exception):
    """The person has left the table."""


class Terminal(Protocol):
    """Where the person sits."""

    def say(self, line: str) -> None:
        """Print a line."""

    def ask(self, prompt: str) -> str:
        """Give a line typed; EOFError when there will be no more."""


class Session:
    """One match; `seat` is the person's."""

    def __init__(
        self,
        choice: Choice,
        table: HouseTable,
        seat: int,
        *,
        names: Sequence[str],
        faces: Faces,
        terminal: Terminal,
    ) -> None:
        self._choice = choice
        self._table = table
        self._match = table.match
        self._seat = seat
        self._faces = faces
        self._terminal = terminal
        plan = deal_plan(choice.rules, choice.players)
        self._screen = Screen(faces, names, plan.length)
        self._story = Story(faces, names, seat)
        self._told = 0

    def play(self) -> None:
        """Play the match to its end; raises `Left`."""
        self._match.start()
        self._tell()
        while self._match.phase is not Phase.OVER:
            if self._table.advance():
                self._tell()
            else:
                self._act()

    def _view(self) -> View:
        return view(self._match, self._seat)

    def _tell(self) -> None:
        for entry in self._match.entries(after=self._told):
            self._told = entry.seq
            for line in self._story.tell(project(entry, self._seat).event):
                self._say(line)

    def _say(self, line: str) -> None:
        self._terminal.say(self._faces.dressed(line))

    def _act(self) -> None:
        """Ask until the person has done what is due."""
        seen = self._view()
        self._say("")
        for line in self._screen.table(seen):
            self._say(line)
        for line in self._screen.legal(seen):
            self._say(line)
        while not self._tried(seen.ask, _prompt(seen)):
            pass
        self._tell()
        if seen.ask == Ask.BID:
            self._offer_amending()

    def _offer_amending(self) -> None:
        """Right after a bid, as long as it may be replaced; Enter goes on."""
        while legal := self._view().amend_bids:
            bid = self._view().bids[self._seat]
            prompt = f"Enter keeps your bid of {bid}, a number changes it"
            line = self._read(f"{prompt} ({amounts(legal)}): ")
            if not line.strip():
                return
            self._attempt(line, Ask.BID)
            self._tell()

    def _tried(self, ask: int, prompt: str) -> bool:
        """Take one line; true if something was done that the game had asked for."""
        before = self._match.seq, len(self._match.to_act())
        self._attempt(self._read(prompt), Ask(ask))
        return (self._match.seq, len(self._match.to_act())) != before

    def _read(self, prompt: str) -> str:
        try:
            return self._terminal.ask(prompt)
        except EOFError as end:
            raise Left from end

    def _attempt(self, line: str, ask: Ask) -> None:
        """Do what a line says, or say why not."""
        seen = self._view()
        hidden = ask is Ask.PLAY and not seen.legal_cards
        try:
            self._do(understood(line, ask, card_hidden=hidden))
        except NotUnderstood as error:
            self._explain(str(error))
        except Refusal as refusal:
            why = refusal.code.replace("_", " ").lower()
            self._explain(f"{refusal.message} ({why})")

    def _explain(self, text: str) -> None:
        for line in wrapped(text):
            self._say(line)

    def _do(self, typed: Typed) -> None:
        match typed:
            case Bid(amount):
                self._match.bid(self._seat, amount)
            case Card(card, call):
                self._match.play(self._seat, card, call)
            case BidCards(cards, claim):
                self._match.lay(self._seat, cards, claim)
            case Suit(suit):
                self._match.choose_trump(self._seat, suit)
            case Word():
                self._answer(typed)
            case _:
                assert_never(typed)

    def _answer(self, word: Word) -> None:
        match word:
            case Word.HELP:
                for line in _HELP.splitlines():
                    self._say(line)
            case Word.RULES:
                for line in words_lines(self._choice):
                    self._say(line)
            case Word.SCORES:
                for line in self._story.scores():
                    self._say(line)
            case Word.TRICK:
                self._explain(self._story.last_trick)
            case Word.QUIT:
                raise Left
            case _:
                assert_never(word)


def _prompt(seen: View) -> str:
    match seen.ask:
        case Ask.BID:
            return f"Your bid ({amounts(seen.legal_bids)}): "
        case Ask.TRUMP:
            return "Name the trump (C D H S): "
        case Ask.BID_CARDS:
            return "Your bid cards: "
        case _:
            return "Your card: "
