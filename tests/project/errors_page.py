"""Make docs/reference/errors.md from the table of reasons.

    python -m tests.project.errors_page

A test compares the page with what would be made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from server.rpc.reasons import GROUPS, Again, Reason
from tests.project.tree import ROOT

PAGE = ROOT / "docs" / "reference" / "errors.md"

HEAD = """\
# Reference of errors

Made by `python -m tests.project.errors_page` from
[server/rpc/reasons.py](../../server/rpc/reasons.py).

Every call that is refused ends with a status and exactly one `google.rpc.ErrorInfo`:
its domain is `ohhell`, its `reason` stands below, its metadata name what would have
been right. Wrong fields are listed in a `BadRequest`. Where a `RetryInfo` comes with
it, wait that long. What is for a limit names it as GetServerInfo does (`limit`), and a
`QuotaFailure` says whose it is: `bot:`, `seat:`, `address:` or `connection:` and which,
`guests`, the `stream`, or the whole `service`. On a stream, refused answers have the
same reasons in an `AnswerResult`, other frames in a `Notice`, and the stream goes on;
those marked *frame* are told nowhere else. What was refused has changed nothing.

*Again* says whether the same may be sent once more: not before something else changes
(no), once you have looked how things stand ({anew}), or some time later ({later}). An
answer to a decision may always be repeated: the same decision, attempt and content get
the same reply, also after `DEADLINE_EXCEEDED` or a lost connection, when nobody knows
whether the first one came.

Two ends have no reason of ours, because gRPC answers in our place.
RESOURCE_EXHAUSTED without details: the message, or its metadata, is larger than
GetServerInfo allows, and will be refused again. DEADLINE_EXCEEDED without details: the
caller's own deadline is over; what was done is not done twice.
"""


def page() -> str:
    """All of it."""
    parts = [HEAD.format(anew=Again.ANEW, later=Again.LATER)]
    parts += ["\n".join(_group(title, GROUPS[title])) for title in GROUPS]
    return "\n".join(parts)


def _group(title: str, reasons: Mapping[str, Reason]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| reason | status | when | what to do | again |"
    yield "|---|---|---|---|---|"
    for name, (status, when, then, again) in reasons.items():
        told = "*frame*" if status is None else status.name
        yield f"| `{name}` | {told} | {when} | {then} | {again} |"
    yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
