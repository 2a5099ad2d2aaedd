"""Findings as text, JSON and JUnit's XML."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from cli.bot.check.findings import Failure, Finding, Verdict

MOST_SHOWN = 3
"""Failures of one case that are shown in full."""
INDENT = " " * 7
_MARKS = {Verdict.PASSED: "ok", Verdict.FAILED: "FAILED", Verdict.SKIPPED: "-"}


def line(finding: Finding, width: int | None) -> str:
    """The finding in one line, or in lines of some `width`."""
    mark = _MARKS[finding.verdict]
    detail = f": {finding.detail}" if finding.detail else ""
    head = f"{mark:<7}{finding.case:<16}"
    return "\n".join(_wrapped(head, f"{finding.about}{detail}", width))


def details(finding: Finding, repeat: str, width: int | None) -> list[str]:
    """The failures behind it; `repeat` is the command that tries only this.

    Lines are broken at `width`, where there is one, but for that command, which is
    there to be copied.
    """
    lines = []
    shown = _each_once(finding.failures)[:MOST_SHOWN]
    for failure in shown:
        for name, text in _told(failure):
            for told in text.splitlines():
                lines += _wrapped(f"{INDENT}{name}", told, width)
    more = len(finding.failures) - len(shown)
    if more > 0:
        lines.append(f"{INDENT}and {more} more like this")
    lines.append(f"{INDENT}again:   {repeat}")
    return lines


def _wrapped(head: str, text: str, width: int | None) -> list[str]:
    if width is None:
        return [f"{head}{text}"]
    return textwrap.wrap(
        text,
        width,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_on_hyphens=False,
    )


def _each_once(failures: Sequence[Failure]) -> list[Failure]:
    """Leave out second attempts, faults of which the answer tells more, and ends of
    the process after the first that it ended with in the same way."""
    told: dict[str, Failure] = {}
    for failure in failures:
        head, *tail = failure.what.splitlines()
        # Lines below the first are what the process wrote, at whatever table.
        key = head if tail else failure.prompt or failure.what
        if key not in told or (failure.rule and not told[key].rule):
            told[key] = failure
    return list(told.values())


def _told(failure: Failure) -> list[tuple[str, str]]:
    """Its parts, each with what it is called."""
    parts = [
        ("", failure.what),
        ("preset:  ", failure.preset),
        ("prompt:  ", failure.prompt),
        ("answer:  ", failure.answer),
        ("rule:    ", failure.rule),
    ]
    return [(name, text) for name, text in parts if text]


def summary(findings: Sequence[Finding]) -> str:
    count = dict.fromkeys(Verdict, 0)
    for finding in findings:
        count[finding.verdict] += 1
    return ", ".join(f"{number} {verdict}" for verdict, number in count.items())


def as_json(findings: Sequence[Finding], *, seed: int) -> str:
    failed = any(finding.verdict is Verdict.FAILED for finding in findings)
    document = {
        "passed": not failed,
        "seed": seed,
        "cases": [finding.document() for finding in findings],
    }
    return json.dumps(document, indent=2)


def as_junit(findings: Sequence[Finding]) -> str:
    suite = ET.Element(
        "testsuite",
        name="ohhell bot check",
        tests=str(len(findings)),
        failures=str(sum(f.verdict is Verdict.FAILED for f in findings)),
        skipped=str(sum(f.verdict is Verdict.SKIPPED for f in findings)),
    )
    for finding in findings:
        case = ET.SubElement(
            suite,
            "testcase",
            classname="bot",
            name=finding.case,
            time=f"{finding.seconds:.3f}",
        )
        if finding.verdict is Verdict.SKIPPED:
            ET.SubElement(case, "skipped", message=finding.detail)
        for failure in finding.failures[:1]:
            element = ET.SubElement(case, "failure", message=failure.what)
            element.text = "\n".join(f"{name}{text}" for name, text in _told(failure))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)
