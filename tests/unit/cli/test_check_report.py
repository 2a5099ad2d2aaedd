"""What `ohhell bot check` shows of many failures."""

from __future__ import annotations

from cli.bot.check.findings import Failure, Finding, Verdict
from cli.bot.check.report import details


def failure(decision: int, attempt: int) -> Failure:
    return Failure(
        what="answered wrongly",
        prompt=f"decision {decision}",
        answer=f"attempt {attempt}",
        rule="MUST_FOLLOW",
    )


def told(*failures: Failure) -> list[str]:
    found = Finding("cards", "", Verdict.FAILED, "", failures, 0.0)
    return details(found, "again")


def test_the_failures_that_are_shown_are_of_different_prompts() -> None:
    lines = told(*(failure(seq, attempt) for seq in range(4) for attempt in (1, 2)))
    assert [line.split()[-1] for line in lines if "prompt:" in line] == ["0", "1", "2"]
    assert not any("attempt 2" in line for line in lines)
    assert "       and 5 more like this" in lines


def test_an_answer_with_its_rule_goes_before_the_bare_fault() -> None:
    lines = told(Failure(what="ILLEGAL", prompt="decision 1"), failure(1, 1))
    assert "       answered wrongly" in lines
    assert "       and 1 more like this" in lines
    assert not any("ILLEGAL" in line for line in lines)
