"""A whole check: the bot, the cases in order, and what is said meanwhile."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli.bot.check import answering, connecting, costs, remembering
from cli.bot.check.cases import Case, Circumstances, finding_of, left_out
from cli.bot.check.findings import Finding, Verdict
from cli.bot.check.rig import Rig
from cli.bot.check.subject import NAME, Awaited, Served, Started, Subject
from server import logs
from server.address import Address, Trust
from tournament.launcher import Launcher

CASES: Final = (
    connecting.STARTS,
    *answering.CASES,
    *connecting.CASES,
    *remembering.CASES,
    *costs.CASES,
    connecting.ENDS,
)
LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be checked: a command, or one of the two addresses."""

    command: tuple[str, ...] = ()
    address: Address | None = None
    trust: Trust | None = None
    """What calls there are encrypted with."""
    listen: Address | None = None
    seed: int
    presets: Sequence[str]
    cases: Sequence[Case] = CASES
    seconds: float


async def check(
    wanted: Wanted, told: Callable[[Finding], None], say: Callable[[str], None]
) -> list[Finding]:
    """Tries all cases, and tells of each when it is done; PortTaken."""
    findings: list[Finding] = []
    folder = Path(tempfile.mkdtemp(prefix="ohhell-check-"))
    with (folder / "service.log").open("w", encoding="utf-8") as log:
        logs.configure("info", log)
        async with _rig(wanted, folder) as rig:
            if wanted.listen is not None:
                say(f"waiting for the bot to connect to {rig.where}")
            circumstances = Circumstances(
                rig=rig,
                seed=wanted.seed,
                presets=wanted.presets,
                seconds=wanted.seconds,
            )
            for case in wanted.cases:
                before = findings[-1].case if findings else ""
                if _too_late(findings, wanted.seconds):
                    finding = left_out(case, "--seconds was too short")
                else:
                    finding = await finding_of(case, circumstances, before=before)
                findings.append(finding)
                told(finding)
                if case is connecting.STARTS and finding.verdict is Verdict.FAILED:
                    break
    if any(finding.verdict is Verdict.FAILED for finding in findings):
        its = f"the bot wrote {NAME}.err and " if wanted.command else ""
        say(f"{its}the service wrote service.log, in {folder}")
    else:
        shutil.rmtree(folder)
    return findings


def _too_late(findings: Sequence[Finding], seconds: float) -> bool:
    """Whether no further case is begun: a bot with faults may take half a minute of
    waiting in each; one without is tried in all of them.

    The first case does not count: it may have waited for somebody to start the bot.
    """
    failed = any(finding.verdict is Verdict.FAILED for finding in findings)
    return failed and sum(finding.seconds for finding in findings[1:]) >= seconds


@asynccontextmanager
async def _rig(wanted: Wanted, folder: Path) -> AsyncIterator[Rig]:
    listen = wanted.listen or Address(LOOPBACK, 0)
    async with Launcher(logs=folder) as launcher:
        subject: Subject
        if wanted.address is not None:
            subject = Served(wanted.address, wanted.trust)
        elif wanted.listen is not None:
            subject = Awaited()
        else:
            subject = Started(launcher, wanted.command, Path.cwd())
        rig = Rig(subject, address=listen.host, port=listen.port)
        await rig.begin()
        try:
            yield rig
        finally:
            await rig.end()
