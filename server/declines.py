"""What a bot says it cannot play, in words of rule sets.

A word is the name of a parameter that is on (`forehead`), a text that is the value of
one or stands in its list or map (`bid_cards`, `blind`), or both written out
(`bid_mode=bid_cards`, `hook=false`).
"""

from __future__ import annotations

import json
from typing import Final

from engine.rules import Rules

_OFF: Final = frozenset({"none", "not_applicable"})


def words_of(rules: Rules) -> frozenset[str]:
    """Every word that these rules answer to."""
    words: set[str] = set()
    for name, value in rules.parameters().items():
        match value:
            case str():
                words.add(f"{name}={value}")
                if value not in _OFF:
                    words |= {name, value}
            case list() | dict():
                items = value.values() if isinstance(value, dict) else value
                words.update(item for item in items if isinstance(item, str))
            case _:
                words.add(f"{name}={json.dumps(value)}")
                if value is True:
                    words.add(name)
    return frozenset(words)


def declined(declines: frozenset[str], rules: Rules) -> frozenset[str]:
    """Words of these rules that are among those declined."""
    return declines & words_of(rules) if declines else declines
