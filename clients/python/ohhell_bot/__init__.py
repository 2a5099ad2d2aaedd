"""Write a bot for the Oh Hell service: one class with `bid` and `play`, and `run`."""

import os

# gRPC reads this when it is imported: its notes on a service that ends would stand
# among the lines that the library writes about that.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

from ohhell_bot.bot import Bot, Lay, Play, lowest_first
from ohhell_bot.cards import (
    RANK,
    SUIT,
    TEXT,
    card_code,
    card_text,
    cards_from,
    cards_text,
    rank,
    suit,
)
from ohhell_bot.draws import Draws
from ohhell_bot.errors import BadAnswer, BotLibraryError, SettingsError
from ohhell_bot.match import Clock, Match, Result, Rules, Scoring
from ohhell_bot.running import run, serve
from ohhell_bot.view import Played, View
from ohhell_bot.vocabulary import (
    Ask,
    BidState,
    CallRule,
    Claim,
    DealKind,
    EndReason,
    JokerCall,
    Phase,
    ShownWhy,
    Suit,
    Trump,
)

__all__ = [
    "RANK",
    "SUIT",
    "TEXT",
    "Ask",
    "BadAnswer",
    "BidState",
    "Bot",
    "BotLibraryError",
    "CallRule",
    "Claim",
    "Clock",
    "DealKind",
    "Draws",
    "EndReason",
    "JokerCall",
    "Lay",
    "Match",
    "Phase",
    "Play",
    "Played",
    "Result",
    "Rules",
    "Scoring",
    "SettingsError",
    "ShownWhy",
    "Suit",
    "Trump",
    "View",
    "card_code",
    "card_text",
    "cards_from",
    "cards_text",
    "lowest_first",
    "rank",
    "run",
    "serve",
    "suit",
]
