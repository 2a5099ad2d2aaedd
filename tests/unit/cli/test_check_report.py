"""What `ohhell bot check` shows of many failures."""

from __future__ import annotations

from cli.bot.check.findings import Failure, Finding, Verdict
from cli.bot.check.report import details, line


def failure(decision: int, attempt: int) -> Failure:
    return Failure(
        what="answered wrongly",
        prompt=f"decision {decision}",
        answer=f"attempt {attempt}",
        rule="MUST_FOLLOW",
    )


def told(*failures: Failure, width: int | None = None) -> list[str]:
    found = Finding("cards", "", Verdict.FAILED, "", failures, 0.0)
    return details(found, "again", width)


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


def test_a_terminal_gets_all_of_it_within_80_columns() -> None:
    prompt = '{"ask":"play","legal":"' + " ".join(["QH"] * 80) + '"}' + "x" * 100
    what = f"its process ended:\n{'word ' * 40}"
    long = Failure(what, prompt=prompt, rule="MUST_FOLLOW")
    whole, broken = told(long), told(long, width=80)
    assert max(map(len, whole)) > 250
    assert max(map(len, broken)) <= 80
    assert "".join("".join(broken).split()) == "".join("".join(whole).split())
    assert [text[:16] for text in broken if ":" in text[:16]] == [
        *("       prompt:  ", "       rule:    ", "       again:   "),
    ]
    about = Finding("cards", "about it " * 10, Verdict.FAILED, "detail", (), 0.0)
    assert max(map(len, line(about, 80).splitlines())) <= 80
    assert len(line(about, None).splitlines()) == 1


def test_a_process_that_ends_in_one_way_at_many_tables_is_told_of_once() -> None:
    how = "its process exited with status 3; the end of its standard error (bot.err):"
    ends = [
        Failure(f"{how}\n12:00:0{n} table {n}\nValueError: {n}", prompt=f"decision {n}")
        for n in range(4)
    ]
    lines = told(*ends, Failure("its process was ended by SIGKILL; bot.err:\nlast"))
    assert sum(how in line for line in lines) == 1
    assert "       ValueError: 0" in lines
    assert "       its process was ended by SIGKILL; bot.err:" in lines
    assert "       and 3 more like this" in lines
