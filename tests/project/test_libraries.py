"""What every bot library promises to whoever opens its folder."""

from __future__ import annotations

import pytest

from tests.project.tree import ROOT

LANGUAGES = ("cpp", "go", "java", "python", "rust", "typescript")
ONE_PAGE = 90
"""Lines."""
STARTERS = {
    "cpp": ("clients/cpp/starter", ("main.cpp", "my_bot.h")),
    "go": ("clients/go/starter", ("main.go",)),
    "java": ("clients/java/starter", ("src/main/java/mybot/MyBot.java",)),
    "python": ("cli/bot/new/templates/python", ("bot.py",)),
    "rust": ("clients/rust/starter", ("src/main.rs",)),
    "typescript": ("clients/typescript/starter", ("src/main.ts", "src/mybot.ts")),
}
"""Folder, and the files that are the bot."""


def lines(path: str) -> int:
    return len((ROOT / path).read_text(encoding="utf-8").splitlines())


def test_there_is_a_row_for_every_library() -> None:
    folders = {path.parent.name for path in (ROOT / "clients").glob("*/README.md")}
    assert folders == set(LANGUAGES) == set(STARTERS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_library_is_explained_on_one_page(language: str) -> None:
    assert lines(f"clients/{language}/README.md") <= ONE_PAGE


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_starter_has_less_than_80_lines(language: str) -> None:
    folder, files = STARTERS[language]
    assert sum(lines(f"{folder}/{file}") for file in files) < 80
