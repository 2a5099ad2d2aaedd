"""`ohhell bot check`: find the faults of a bot before a tournament does."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.bot.options import CaFile
from cli.exits import ExitCode, fail, told_by_system
from cli.limits import within

if TYPE_CHECKING:
    from cli.bot.check.cases import Case
    from cli.bot.check.findings import Finding
    from server.address import Address, Trust

USUAL_SECONDS = 60.0
TERMINAL_WIDTH = 80

Command = Annotated[
    list[str] | None,
    typer.Argument(help="Program and its arguments.", metavar="-- COMMAND"),
]
AddressOption = Annotated[
    str | None,
    typer.Option(help="Call a bot that is a server there.", metavar="HOST:PORT"),
]
Tls = Annotated[
    bool,
    typer.Option("--tls", help="Encrypt that call, and trust as this machine does."),
]
Listen = Annotated[
    str | None,
    typer.Option(help="Wait for a bot to connect there.", metavar="HOST:PORT"),
]
ProtocolOption = Annotated[
    str,
    typer.Option(help="What the program speaks: grpc or stdio.", metavar="NAME"),
]
Only = Annotated[
    list[str] | None,
    typer.Option(help="Try only this case; may be given again.", metavar="CASE"),
]
Presets = Annotated[
    str | None, typer.Option(help="Rules to play, as a,b,c; all.", metavar="NAMES")
]
Seed = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The same cards again.")]
Seconds = Annotated[
    float,
    typer.Option(
        callback=within("--seconds", 1),
        help="How long all cases together may take; after a failure none begins later.",
        metavar="N",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]
Junit = Annotated[
    Path | None, typer.Option(help="Write the results as JUnit XML.", metavar="FILE")
]


def check(  # noqa: PLR0913 - a command has as many parameters as options
    command: Command = None,
    *,
    address: AddressOption = None,
    tls: Tls = False,
    ca_file: CaFile = None,
    listen: Listen = None,
    protocol: ProtocolOption = "grpc",
    only: Only = None,
    presets: Presets = None,
    seed: Seed = 0,
    seconds: Seconds = USUAL_SECONDS,
    as_json: Json = False,
    junit: Junit = None,
) -> None:
    """Play with a bot, and tell what is wrong with it.

    Every failure comes with the prompt, the answer, the rule, and the command that
    tries it again. Exit status: 0 nothing was found, 1 something was, 2 a mistake in
    the command.
    """
    from cli.bot.check.checking import CASES, Wanted
    from cli.bot.check.checking import check as all_cases
    from cli.bot.check.findings import Verdict
    from cli.bot.check.report import as_json as json_text
    from cli.bot.check.report import as_junit, details, line, summary
    from server.rpc.serving import PortTaken

    words = tuple(command or ())
    if sum([bool(words), address is not None, listen is not None]) != 1:
        fail("say how to reach the bot: -- COMMAND, or --address, or --listen")
    trust = _trust(address, tls=tls, ca_file=ca_file)
    reached = [] if address is None else ["--address", address]
    reached += [] if listen is None else ["--listen", listen]
    reached += ["--tls"] if tls else []
    reached += [] if ca_file is None else ["--ca-file", str(ca_file)]
    again = _repeated(words, reached, protocol=protocol, seed=seed)

    # Whoever searches a file wants whole lines.
    width = TERMINAL_WIDTH if sys.stdout.isatty() else None

    def told(finding: Finding) -> None:
        if as_json:
            return
        typer.echo(line(finding, width))
        if finding.verdict is Verdict.FAILED:
            for text in details(finding, again(finding), width):
                typer.echo(text)

    wanted = Wanted(
        command=bridged(words, protocol),
        address=_address(address),
        trust=trust,
        listen=_address(listen),
        seed=seed,
        presets=_presets(presets),
        cases=_cases(only, CASES),
        seconds=seconds,
    )
    _require_program(words)
    try:
        findings = asyncio.run(
            all_cases(wanted, told, lambda text: typer.echo(text, err=True))
        )
    except PortTaken as error:
        fail(error)
    if as_json:
        typer.echo(json_text(findings, seed=seed))
    else:
        typer.echo(summary(findings))
    if junit is not None:
        try:
            junit.write_text(as_junit(findings), encoding="utf-8")
        except OSError as error:
            fail(told_by_system(error))
    failed = any(finding.verdict is Verdict.FAILED for finding in findings)
    raise typer.Exit(ExitCode.FAILED if failed else ExitCode.DONE)


def _require_program(command: tuple[str, ...]) -> None:
    """Ends the check where the command names none of the PATH; others are started."""
    if not command or os.sep in command[0] or shutil.which(command[0]) is not None:
        return
    program = command[0]
    told = f"there is no program {program!r} on the PATH"
    if Path(program).is_file():
        told += f"; with ./ before it, it is the one in this folder: ./{program}"
    fail(told)


def bridged(command: tuple[str, ...], protocol: str) -> tuple[str, ...]:
    """The command that connects the bot, which may speak in lines."""
    from cli.house import BRIDGE
    from tournament.spec import Protocol

    if protocol not in list(Protocol):
        fail(f"--protocol {protocol}: there are {' and '.join(Protocol)}")
    if protocol == Protocol.GRPC:
        return command
    if not command:
        fail("--protocol stdio is for a bot that is started: -- COMMAND")
    return (*BRIDGE, *command)


def _address(text: str | None) -> Address | None:
    from server.address import Address

    if text is None:
        return None
    try:
        return Address.of(text)
    except ValueError as error:
        fail(error)


def _trust(address: str | None, *, tls: bool, ca_file: Path | None) -> Trust | None:
    from server.address import Trust

    if (tls or ca_file is not None) and address is None:
        flag = "--tls" if tls else "--ca-file"
        fail(f"{flag} is for a bot that is called: --address HOST:PORT")
    if ca_file is None:
        return Trust() if tls else None
    try:
        return Trust.read(ca_file)
    except OSError as error:
        told = error.strerror if error.filename else "it holds no certificate"
        fail(f"--ca-file {ca_file}: {told}")


def _presets(names: str | None) -> tuple[str, ...]:
    from engine.presets import preset_names

    known = tuple(preset_names())
    if names is None:
        return known
    wanted = tuple(name.strip() for name in names.split(","))
    for name in wanted:
        if name not in known:
            fail(f"there is no preset {name!r}{_near(name, known)}")
    return wanted


def _cases(only: list[str] | None, cases: tuple[Case, ...]) -> tuple[Case, ...]:
    if not only:
        return cases
    known = {case.name: case for case in cases}
    for name in only:
        if name not in known:
            fail(f"there is no case {name!r}{_near(name, tuple(known))}")
    return tuple(known[name] for name in only)


def _near(name: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else f": there are {', '.join(known)}"


def _repeated(
    command: tuple[str, ...],
    reached: list[str],
    *,
    protocol: str,
    seed: int,
) -> Callable[[Finding], str]:
    """Gives the command that tries a case again."""

    def again(finding: Finding) -> str:
        words = ["ohhell", "bot", "check", "--only", finding.case, "--seed", str(seed)]
        presets = dict.fromkeys(f.preset for f in finding.failures if f.preset)
        if presets:
            words += ["--presets", ",".join(list(presets)[:3])]
        if protocol != "grpc":
            words += ["--protocol", protocol]
        words += reached
        if command:
            words += ["--", *command]
        return shlex.join(words)

    return again
