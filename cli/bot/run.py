"""`ohhell bot run`: start a bot against a service, and listen in."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cli.bot.check.app import bridged
from cli.bot.options import Address, CaFile, Certificate, Command, Key, TokenFile
from cli.exits import fail, not_started

if TYPE_CHECKING:
    from ohhell_bot.settings import Settings

ProtocolOption = Annotated[
    str,
    typer.Option(help="What the program speaks: grpc or stdio.", metavar="NAME"),
]
TraceOption = Annotated[
    bool, typer.Option("--trace", help="Tell every frame on standard error.")
]

OWN = "OHHELL_BOT_"
ENCRYPTION = ("TLS", "CA_FILE", "CERTIFICATE", "KEY")


def run(  # noqa: PLR0913 - one argument for each flag
    command: Command,
    *,
    address: Address = None,
    token_file: TokenFile = None,
    ca_file: CaFile = None,
    certificate: Certificate = None,
    key: Key = None,
    protocol: ProtocolOption = "grpc",
    trace: TraceOption = False,
) -> None:
    """Start a bot in any language, told how to connect.

    It finds what it needs in its environment. With --trace every frame between it and
    the service is told as text. Ends with the exit status of the bot.
    """
    from ohhell_bot.errors import SettingsError
    from ohhell_bot.settings import read_settings

    given = {
        "ADDRESS": address,
        "TOKEN_FILE": token_file,
        "CA_FILE": ca_file,
        "CERTIFICATE": certificate,
        "KEY": key,
    }
    own = {OWN + name: str(value) for name, value in given.items() if value is not None}
    environment = {**os.environ, **own}
    # The token of the environment is the bot's to read.
    seen = {
        OWN + name: environment[OWN + name]
        for name in ("ADDRESS", *ENCRYPTION)
        if OWN + name in environment
    }
    words = bridged(tuple(command), protocol)
    if trace and OWN + "SERVE" in environment:
        fail(f"--trace is for a bot that calls: take {OWN}SERVE away")
    try:
        # Here, and not only by a bot that may tell it in its own way, or not at all.
        settings = read_settings((), seen | own)
        if not trace:
            os.execvpe(words[0], words, environment)  # noqa: S606 - that is its purpose
        raise typer.Exit(asyncio.run(_traced(words, settings, environment)))
    except SettingsError as error:
        fail(error)
    except OSError as error:
        fail(not_started(words[0], error))


async def _traced(
    words: Sequence[str], settings: Settings, environment: dict[str, str]
) -> int:
    from ohhell_bot.relay import relay

    async with relay(settings, _tell) as address:
        for name in ENCRYPTION:
            # From the bot to us nothing is encrypted, for it stays on this machine.
            environment.pop(OWN + name, None)
        environment[OWN + "ADDRESS"] = address
        pipe = environment.get(OWN + "TOKEN_FD", "")
        bot = await asyncio.create_subprocess_exec(
            *words,
            env=environment,
            pass_fds=[int(pipe)] if pipe.isdecimal() else [],
        )
        loop = asyncio.get_running_loop()
        # Ctrl-C reaches the bot by itself.
        loop.add_signal_handler(signal.SIGINT, lambda: None)
        loop.add_signal_handler(signal.SIGTERM, _terminate, bot)
        status = await bot.wait()
    return status if status >= 0 else 128 - status


def _terminate(bot: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        bot.terminate()


def _tell(text: str) -> None:
    now = datetime.now().astimezone()
    # The bot plays on where nobody reads about it any more.
    with suppress(OSError):
        sys.stderr.write(f"{now:%H:%M:%S}.{now.microsecond // 1000:03d} {text}\n")
