"""Whole games: every legal set, every refusal, every result, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cli.conformance.commands import (
    PHASES,
    Difference,
    accept,
    bids_by_seat,
    card_or_none,
    compare,
    refuse,
    sorted_texts,
    trump_or_none,
)
from cli.conformance.vectors import BadQuestion, Question, rule_reference
from engine.cards import card_text, cards_from, trump_text
from engine.events import BidCardsLaid, DealScored, Event, MatchEnded, TrickTaken
from engine.legality import CallRule
from engine.match import Match
from engine.parameters import BidMode
from engine.phase import Phase
from engine.plan import is_forced_no_trump
from engine.rules import Rules
from engine.view import view
from engine.visibility import SPECTATOR

_PREMIUM = (None, 30, 60)
_CALL_RULES = {
    CallRule.REQUIRED: "free",
    CallRule.FIXED_HIGH: "fixed:high",
    CallRule.FIXED_LOW: "fixed:low",
}


def run_game(game: Question) -> None:
    """Plays a game as its log says; Difference where the engine does otherwise."""
    preset, overrides = rule_reference(game.value("rules"))
    players = game.number("players")
    rules = Rules.of(preset, overrides, players=players)
    warned = [int(warning.rule) for warning in rules.warnings(players)]
    expected = game.numbers("warn") if game.has("warn") else []
    compare("warnings", expected=expected, got=warned)
    deals = game.questions("deals")
    decks = [cards_from(deal.text("deck")) for deal in deals]

    def deck(number: int) -> list[int]:
        if number > len(decks):
            raise Difference("end of the game", expected=len(decks), got=number)
        return decks[number - 1]

    match = Match(rules, players, first_dealer=game.number("first_dealer"), decks=deck)
    match.start()
    for deal in deals:
        _GameDeal(match, deal).run()
    _compare_result(match, game.question("result"))


def _compare_result(match: Match, expected: Question) -> None:
    compare("phase", expected="GAME_OVER", got=PHASES[match.phase])
    ended = match.entry(match.seq).event
    if match.result is None or not isinstance(ended, MatchEnded):
        raise Difference("last entry", expected="the end of the match", got=ended)
    compare("totals", expected=expected.numbers("totals"), got=[*match.result.totals])
    compare("winners", expected=expected.numbers("winners"), got=[*ended.winners])
    settlement = None
    if ended.settlement_exact:
        settlement = {
            "exact": [*ended.settlement_exact],
            "rounded": [*ended.settlement_whole],
        }
    compare("settlement", expected=expected.value("settlement"), got=settlement)


class _GameDeal:
    """One deal of a game; `where` is the place in its log."""

    def __init__(self, match: Match, expected: Question) -> None:
        self._match = match
        self._expected = expected
        self._number = expected.number("no")
        self._late = expected.has("late") and expected.flag("late")
        # The match goes on to its next deal by itself; this one stays as it was.
        self._deal = match.deal
        self._first = match.seq
        self._where = "start"

    def run(self) -> None:
        try:
            self._compare_start()
            for place, entry in enumerate(self._expected.items("log"), start=1):
                self._where = f"log entry {place}"
                if not isinstance(entry, list) or not entry:
                    raise BadQuestion(f"no entry of a log: {entry!r}")
                self._follow(entry)
            self._where = "end"
            self._compare_end()
        except Difference as difference:
            difference.args = (
                f"deal {self._number}, {self._where}: {difference.args[0]}",
            )
            raise

    def _compare_start(self) -> None:
        match, expected = self._match, self._expected
        for name, got in (
            ("no", match.deal_no),
            ("cards", match.size),
            ("dealer", match.dealer),
            (
                "forced_nt",
                is_forced_no_trump(match.rules, match.plan, match.deal_no),
            ),
        ):
            compare(name, expected=expected.value(name), got=got)
        for name, flag in (
            ("forehead", match.forehead),
            ("extra", match.extra),
            ("late", self._hides_upcard()),
        ):
            compare(name, expected=expected.value(name) or False, got=flag)
        kind = expected.value("kind") or "normal"
        compare("kind", expected=kind, got=match.kind.value)
        shown = card_or_none(match.decision.shown or 0)
        compare("shown", expected=expected.value("shown"), got=shown)
        if self._late:
            self._compare_nothing_known()
            return
        self._compare_upcard(expected.value("up"))
        if match.phase is not Phase.TRUMP_CHOICE:
            self._compare_trump(expected.value("trump"))

    def _hides_upcard(self) -> bool:
        """Whether there is an upcard that waits for the bids, if anybody bids."""
        return self._match.kind.hides_upcard and bool(self._match.decision.upcard)

    def _compare_nothing_known(self) -> None:
        """In a late deal, while bids are due."""
        if self._match.phase is Phase.BIDDING and self._match.deal is self._deal:
            self._compare_upcard(None)
            self._compare_trump(None)

    def _compare_upcard(self, expected: object) -> None:
        got = card_or_none(view(self._match, SPECTATOR).upcard)
        compare("up", expected=expected, got=got)

    def _compare_trump(self, expected: object) -> None:
        got = trump_or_none(view(self._match, SPECTATOR).trump)
        compare("trump", expected=expected, got=got)

    def _follow(self, entry: Sequence[object]) -> None:
        match = self._match
        match entry:
            case ["b", int(seat), amount, list(legal), *again]:
                compare("legal bids", expected=legal, got=match.legal_bids(seat))
                compare("again", expected=bool(again), got=match.amendable(seat))
                accept(match, ["b", seat, amount])
            case ["c", int(seat), cards, claim, str(hand)]:
                self._compare_cards("hand", hand, match.hands[seat])
                accept(match, ["c", seat, cards, claim])
            case ["t", int(seat), suit, str(legal)]:
                suits = [trump_text(suit) for suit in match.legal_suits(seat)]
                compare("legal suits", expected=legal.split(), got=sorted(suits))
                accept(match, ["t", seat, suit])
                self._compare_trump(self._expected.value("trump"))
            case ["r", upcard, trump]:
                self._compare_upcard(upcard)
                self._compare_trump(trump)
            case ["p", int(seat), card, str(legal)]:
                self._compare_legal(seat, legal)
                rule = match.call_rule_for(match.legal_cards(seat))
                compare("call", expected=CallRule.NONE, got=rule)
                accept(match, ["p", seat, card])
            case ["p", int(seat), card, str(legal), call, rule]:
                self._compare_legal(seat, legal)
                ruled = _CALL_RULES.get(match.call_rule_for(match.legal_cards(seat)))
                compare("call", expected=rule, got=ruled)
                accept(match, ["p", seat, card, call])
            case ["w", seat]:
                taken = [e for e in self._events() if isinstance(e, TrickTaken)]
                compare("winner", expected=seat, got=taken[-1].seat if taken else None)
            case ["x", list(command), code, dict(state)]:
                refuse(match, command, code)
                compare("state", expected=state, got=self._state())
            case _:
                raise BadQuestion(f"no entry of a log: {entry!r}")
        if self._late:
            self._compare_nothing_known()

    def _events(self) -> Iterator[Event]:
        """Of this deal, after its cards were dealt."""
        for entry in self._match.log.entries(self._first):
            yield entry.event
            if isinstance(entry.event, DealScored):
                return

    def _compare_legal(self, seat: int, legal: str) -> None:
        self._compare_cards("legal cards", legal, self._match.legal_cards(seat))

    def _compare_cards(self, what: str, expected: str, got: Sequence[int]) -> None:
        compare(what, expected=sorted(expected.split()), got=sorted_texts(got))

    def _state(self) -> dict[str, object]:
        match = self._match
        bids: list[object] = [*bids_by_seat(match)]
        secret = match.rules.bid_mode is not BidMode.TURN
        if secret and match.phase is Phase.BIDDING:
            bids = [None if bid is None else "?" for bid in bids]
        return {
            "ph": PHASES[match.phase],
            "to": [*match.to_act()],
            "bids": bids,
            "left": [len(hand) for hand in match.hands],
            "table": " ".join([card_text(card) for card in match.table()]),
            "won": match.deal.tricks[:],
        }

    def _compare_end(self) -> None:
        expected = self._expected
        scored = next((e for e in self._events() if isinstance(e, DealScored)), None)
        if scored is None:
            raise Difference("the deal", expected="over", got="not over")
        compare("bids", expected=expected.value("bids"), got=self._deal.bids)
        for name, got in (
            ("won", scored.tricks),
            ("points", scored.points),
            ("totals", scored.scores),
        ):
            compare(name, expected=expected.value(name), got=[*got])
        compare("premium", expected=expected.value("premium"), got=self._premium())

    def _premium(self) -> list[object] | None:
        for event in self._events():
            if isinstance(event, BidCardsLaid) and event.premium_seat is not None:
                return [event.premium_seat, _PREMIUM[event.premium_kind]]
        return None
