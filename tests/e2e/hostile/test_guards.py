"""The list of guards is of what is there; `make deep` takes them away."""

from __future__ import annotations

import pytest

from tests.e2e.hostile.guards import PAGE, ROOT, STORIES, Guard, listed, page

GUARDS = listed()


def test_every_story_has_a_guard() -> None:
    assert sorted({guard.story for guard in GUARDS}) == list(STORIES)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.says)
def test_a_guard_stands_where_the_list_says_and_its_test_is_there(
    guard: Guard,
) -> None:
    for edit in guard.edits:
        text = edit.file(ROOT).read_text(encoding="utf-8")
        assert edit.was != edit.became
        compile(text.replace(edit.was, edit.became), edit.under, "exec")
    name = guard.test.partition("[")[0]
    test = guard.file.read_text(encoding="utf-8")
    assert f"def {name}(" in test


def test_the_page_of_guards_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
