"""Somebody at a table in the terminal, who knows no more than what is printed."""

from __future__ import annotations

import re
import unicodedata
from random import Random

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LETTERS = str.maketrans("♣♦♥♠", "CDHS")
_CARD = re.compile(r"\b(?:[2-9TJQKASCR][CDHS]|X[12]|[WF][1-4])\b")
_NONSENSE = (
    "",
    "x",
    "-1",
    "99",
    "1.5",
    "ZZ",
    "KH high",
    "AS KS",
    "declare",
    "bid 3",
    "\u7d44" * 30,
    "a" * 300,
    "?",
    "rules",
    "scores",
    "trick",
)
WIDTH = 80
_TABLE_BEGINS = " each, dealer "


def plain(text: str) -> str:
    """Take colours out."""
    return _COLOUR.sub("", text)


def width(line: str) -> int:
    """Columns that a line takes."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in line)
    return len(line) + wide


class Person:
    """Types something legal, and every now and then something that is not."""

    def __init__(self, seed: int, mischief: float = 0.2) -> None:
        self._random = Random(seed)  # noqa: S311 - mischief, not secrecy
        self._mischief = mischief
        self.rejected = 0

    def answer(self, screen: str, prompt: str) -> str:
        """Read what was printed last; give a line to type."""
        if self._random.random() < self._mischief:
            self.rejected += 1
            return self._random.choice(_NONSENSE)
        screen = screen[screen.rfind(_TABLE_BEGINS) :]
        screen = plain(screen).translate(_LETTERS)
        if prompt.startswith("Your bid ("):
            return str(self._random.choice(_amounts(prompt)))
        if prompt.startswith("Enter keeps"):
            amounts = [str(amount) for amount in _amounts(prompt)]
            return self._random.choice(["", "", "", *amounts])
        if prompt.startswith("Name the trump"):
            return self._random.choice(["C", "d", "Hearts", "s"])
        if prompt.startswith("Your bid cards"):
            return self._bid_cards(screen)
        assert prompt.startswith("Your card"), prompt
        return self._card(screen)

    def _bid_cards(self, screen: str) -> str:
        cards = self._random.sample(_cards(screen, "Your hand"), 3)
        claim = self._random.choice(["", "", "declare", "reveal"])
        return f"lay {' '.join(cards)} {claim}"

    def _card(self, screen: str) -> str:
        if "Your card is hidden from you" in screen:
            return "low" if "in case it is a joker" in screen else ""
        legal = _cards(screen, "You may play")
        card = self._random.choice(legal or _cards(screen, "Your hand"))
        call = " high" if card[0] == "X" and "a joker is called" in screen else ""
        typed = card.replace("T", "10") if card[0] == "T" else card
        return typed.lower() + call


def _amounts(prompt: str) -> list[int]:
    found = re.search(r"\((\d+)(?:-(\d+))?(?:, not (\d+))?\): ", prompt)
    assert found is not None, prompt
    low, high, missing = found.groups()
    return [n for n in range(int(low), int(high or low) + 1) if str(n) != missing]


def _cards(screen: str, label: str) -> list[str]:
    """Cards behind the last such label, with lines that go on."""
    found = re.findall(rf"^{label}[^:]*: (.*(?:\n +.*)*)", screen, re.MULTILINE)
    return _CARD.findall(found[-1]) if found else []
