"""The game: cards, rules, deals, matches, and what each player may see of them.

Pure: no clock, chance, files or network. Search and simulation use `engine.deal`,
seeded shuffles are in `engine.shuffle`, records in `engine.record`.
"""

from engine.bidding import Claim
from engine.cards import card_code, card_text, cards_from, cards_text
from engine.errors import (
    Code,
    EngineError,
    IllegalRules,
    NotationError,
    RecordError,
    Refusal,
    Violation,
)
from engine.events import (
    BidAmended,
    BidCardsLaid,
    BidMade,
    BidsOpened,
    BidState,
    CardPlayed,
    CardsShown,
    Cause,
    DealScored,
    Dealt,
    Entry,
    Event,
    MatchEnded,
    ShownWhy,
    TrickTaken,
    TrumpMade,
)
from engine.fallback import ChooseTrump, Command, Lay, PlaceBid, PlayCard, fallback
from engine.legality import CallRule
from engine.match import Match
from engine.phase import Ask, Phase
from engine.position import Position, Result, SealedBid
from engine.rules import Rules
from engine.trick import JokerCall
from engine.view import View, project, view
from engine.visibility import REFEREE, SPECTATOR, Viewer

__all__ = [
    "REFEREE",
    "SPECTATOR",
    "Ask",
    "BidAmended",
    "BidCardsLaid",
    "BidMade",
    "BidState",
    "BidsOpened",
    "CallRule",
    "CardPlayed",
    "CardsShown",
    "Cause",
    "ChooseTrump",
    "Claim",
    "Code",
    "Command",
    "DealScored",
    "Dealt",
    "EngineError",
    "Entry",
    "Event",
    "IllegalRules",
    "JokerCall",
    "Lay",
    "Match",
    "MatchEnded",
    "NotationError",
    "Phase",
    "PlaceBid",
    "PlayCard",
    "Position",
    "RecordError",
    "Refusal",
    "Result",
    "Rules",
    "SealedBid",
    "ShownWhy",
    "TrickTaken",
    "TrumpMade",
    "View",
    "Viewer",
    "Violation",
    "card_code",
    "card_text",
    "cards_from",
    "cards_text",
    "fallback",
    "project",
    "view",
]
