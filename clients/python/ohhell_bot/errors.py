"""What can go wrong in the library.

BotLibraryError
├── SettingsError   a flag or variable is wrong
├── BadAnswer       a bot returned something that is no answer
├── BotFault        a bot raised, and it was asked to stop then
├── Refused         the service does not want this bot: trying again is useless
└── GivenUp         the service was out of reach for too long
"""

from __future__ import annotations


class BotLibraryError(Exception):
    """Base of everything that the library raises on purpose."""


class SettingsError(BotLibraryError):
    """Names the flag or variable, and what would be right."""


class BadAnswer(BotLibraryError):
    """Names what the method returned, and what it may return."""


class BotFault(BotLibraryError):
    """Names the table and the decision."""


class Refused(BotLibraryError):
    """Names the address and the reason the service gave."""


class GivenUp(BotLibraryError):
    """Names the address and how long it was tried."""
