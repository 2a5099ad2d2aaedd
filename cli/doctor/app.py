"""`ohhell doctor`: why something does not work here, or with a service."""

from __future__ import annotations

import json
import os
import ssl
import textwrap
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.bot.options import CaFile, Certificate, Key, TokenFile
from cli.doctor.findings import Finding, Verdict, ok, wrong
from cli.exits import ExitCode, fail, told_by_system

if TYPE_CHECKING:
    from ohhell_bot.settings import Settings
    from server.config import Config

OF_CALLERS = tuple(
    f"OHHELL_BOT_{name}"
    for name in ("ADDRESS", "TLS", "CA_FILE", "TOKEN", "TOKEN_FILE")
)
"""Settings of bots that say how to reach a service; the others are theirs alone."""
PAIR = ("OHHELL_BOT_CERTIFICATE", "OHHELL_BOT_KEY")
"""Also among them, unless the bot is one that is called."""
WIDTH = 80
INDENT = 20


def doctor(  # noqa: PLR0913 - one argument for each flag
    address: Annotated[
        str | None, typer.Argument(help="A service to be called.", metavar="HOST:PORT")
    ] = None,
    *,
    tls: Annotated[
        bool, typer.Option("--tls", help="Encrypt, trusting whom this machine trusts.")
    ] = False,
    ca_file: CaFile = None,
    certificate: Certificate = None,
    key: Key = None,
    token_file: TokenFile = None,
    config: Annotated[
        Path | None, typer.Option(help="Settings of `ohhell serve`.", metavar="FILE")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON on standard output.")
    ] = False,
) -> None:
    """Look for what is wrong here, or on the way to a service.

    Without an address: this machine, its installation, and the settings of the
    service. With one: the service there, called as a bot with the same settings
    (OHHELL_BOT_*) calls it. Exit status: 0 nothing is wrong, 1 something is, 2 a
    mistake in the command.
    """
    if address is None:
        if tls or any((ca_file, certificate, key, token_file)):
            fail(
                "--tls, --ca-file, --certificate, --key and --token-file are for a"
                " service: add HOST:PORT"
            )
        findings = _told(_machine(config), as_json=as_json)
    elif config is not None:
        fail("--config is for this machine: leave out HOST:PORT")
    else:
        given = {
            "ADDRESS": address,
            "TLS": "on" if tls else None,
            "CA_FILE": ca_file,
            "CERTIFICATE": certificate,
            "KEY": key,
            "TOKEN_FILE": token_file,
        }
        findings = _told(_service(_settings(given)), as_json=as_json)
    verdicts = [finding.verdict for finding in findings]
    passed = Verdict.WRONG not in verdicts
    if as_json:
        document = {
            "passed": passed,
            "findings": [finding.document() for finding in findings],
        }
        typer.echo(json.dumps(document, indent=2))
    else:
        counted = ", ".join(
            f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict
        )
        typer.echo(f"{len(findings)} checks: {counted}")
    raise typer.Exit(ExitCode.DONE if passed else ExitCode.FAILED)


def _told(findings: Iterable[Finding], *, as_json: bool) -> list[Finding]:
    """All of them, each said as soon as it is there."""
    heard = []
    for finding in findings:
        heard.append(finding)
        if not as_json:
            typer.echo(_lines(finding))
    return heard


def _lines(finding: Finding) -> str:
    """What was found, and below it what would be right."""
    head = f"{finding.verdict:6}{finding.check:14}"
    text = [_wrapped(finding.said, head)]
    if finding.remedy:
        text.append(_wrapped(finding.remedy, f"{'':{INDENT - 4}}--> "))
    return "\n".join(text)


def _wrapped(text: str, head: str) -> str:
    printable = "".join(char if char.isprintable() else " " for char in text)
    return textwrap.fill(
        printable,
        WIDTH,
        initial_indent=head,
        subsequent_indent=" " * INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _machine(file: Path | None) -> Iterator[Finding]:
    from cli.doctor.machine import look
    from server.config import Config, SettingsWrong, load

    config = Config()
    try:
        config = load(file, os.environ, {})
    except SettingsWrong as error:
        yield wrong("settings", str(error), "correct it, or take it away")
    else:
        yield from _certificates(config)
    yield _bot_settings()
    yield from look(config)


def _certificates(config: Config) -> Iterator[Finding]:
    """The settings of the service, and the files that they name."""
    from server.rpc.tls import CertificateFiles, Certificates, CertificateWrong

    tls = config.tls
    if tls.certificate:
        authorities = {config.game.client_ca, config.admin.client_ca}
        for authority in sorted(authorities):
            files = CertificateFiles(
                Path(tls.certificate),
                Path(tls.key),
                Path(authority) if authority else None,
            )
            try:
                Certificates(files)
            except CertificateWrong as error:
                yield wrong("settings", str(error), "name the right files under [tls]")
                return
    yield ok("settings", "those of the service are right")


def _bot_settings() -> Finding:
    """Variables of bots in this environment, which no bot would start with if wrong."""
    from ohhell_bot.encryption import pair_of
    from ohhell_bot.errors import SettingsError
    from ohhell_bot.settings import PREFIX, read_settings

    # What a descriptor gives, it gives once.
    own = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(PREFIX) and name != f"{PREFIX}TOKEN_FD"
    }
    try:
        pair_of(read_settings((), own))
    except SettingsError as error:
        return wrong("bot settings", str(error), "correct it, or take it away")
    return ok("bot settings", f"{len(own)} in the environment" if own else "none")


def _settings(given: Mapping[str, str | Path | None]) -> Settings:
    """Those of a bot that is started here, under what is given; ends the command where
    they are wrong.
    """
    from ohhell_bot.errors import SettingsError
    from ohhell_bot.settings import read_settings

    names = OF_CALLERS if "OHHELL_BOT_SERVE" in os.environ else OF_CALLERS + PAIR
    own = {name: os.environ[name] for name in names if name in os.environ}
    if given["TOKEN_FILE"] is not None:
        own.pop("OHHELL_BOT_TOKEN", None)
    for name, value in given.items():
        if value is not None:
            own[f"OHHELL_BOT_{name}"] = str(value)
    try:
        return read_settings((), own)
    except SettingsError as error:
        # The address was given as an argument, whatever the library calls it.
        fail(str(error).removeprefix("OHHELL_BOT_ADDRESS: "))


def _shown(settings: Settings) -> tuple[Path, Path] | None:
    """Files of what is shown to the service; ends the command where they are wrong."""
    from server.address import Identity, NoPair

    if settings.certificate is None or settings.key is None:
        return None
    try:
        Identity.read(settings.certificate, settings.key)
    except NoPair as error:
        fail(error)
    return settings.certificate, settings.key


def _service(settings: Settings) -> Iterator[Finding]:
    from cli.doctor.reaching import Encryption, reach
    from cli.doctor.service import inquire
    from server.address import Address, Identity, Trust

    try:
        address = Address.of(settings.address)
    except ValueError as error:
        fail(error)
    shown = _shown(settings)
    encryption, trust = None, None
    if settings.tls:
        pem = _authorities(settings.ca_file) if settings.ca_file is not None else None
        encryption = Encryption(pem, shown)
        trust = Trust(None if pem is None else pem.encode())
    for finding in reach(address, encryption, time.time()):
        yield finding
        if finding.verdict is Verdict.WRONG:
            return
    identity = None if shown is None else Identity.read(*shown)
    yield from inquire(address, trust, identity=identity, token=settings.token)


def _authorities(file: Path) -> str:
    try:
        pem = file.read_text(encoding="ascii")
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=pem)
    except OSError as error:
        # One of ssl has no file, and is no news of the system.
        told = told_by_system(error) if error.filename else "it holds no certificate"
        fail(f"{file}: {told}")
    except ValueError:
        fail(f"{file}: it holds no certificate")
    return pem
