"""`ohhell serve`: the game service until a signal ends it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.exits import fail
from server.config import LOOPBACK, Auth, Config, SettingsWrong, load


def serve(  # noqa: PLR0913 - one argument for each flag
    *,
    config: Annotated[
        Path | None, typer.Option("--config", help="A TOML file with settings.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="Address for bots and people.")
    ] = None,
    game_port: Annotated[
        int | None, typer.Option(help="Port for bots and people; 0: a free one.")
    ] = None,
    http_port: Annotated[
        int | None, typer.Option(help="Port for metrics and probes; 0: a free one.")
    ] = None,
    admin_port: Annotated[
        int | None, typer.Option(help="Port for operators; 0: a free one.")
    ] = None,
    tls_certificate: Annotated[
        str | None, typer.Option(help="PEM file of the service's certificate.")
    ] = None,
    tls_key: Annotated[
        str | None, typer.Option(help="PEM file of the certificate's key.")
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(help="File or database URL for tables; empty: keep nothing."),
    ] = None,
    auth: Annotated[
        str | None, typer.Option(help="Whether callers need a token: on or off.")
    ] = None,
    log_level: Annotated[
        str | None, typer.Option(help="debug, info, warning or error.")
    ] = None,
    allow_insecure: Annotated[
        bool,
        typer.Option(
            "--allow-insecure",
            help="Listen beyond this machine without TLS, or without tokens.",
        ),
    ] = False,
) -> None:
    """Serve tables to people and programs until SIGINT or SIGTERM."""
    from server import logs

    flags: dict[str, dict[str, object]] = {
        "game": {
            "address": address,
            "port": game_port,
            "auth": auth,
            "allow_insecure": True if allow_insecure else None,
        },
        "admin": {"port": admin_port},
        "tls": {"certificate": tls_certificate, "key": tls_key},
        "http": {"port": http_port},
        "store": {"where": store},
        "log": {"level": log_level},
    }
    try:
        loaded = load(config, os.environ, flags)
    except SettingsWrong as wrong:
        fail(wrong)
    logs.configure(loaded.log.level)
    asyncio.run(_serve(loaded))


async def _serve(config: Config) -> None:
    from bots.local import LOCAL_FACTORIES
    from server.host import settle
    from server.rpc.service import Service
    from server.rpc.serving import PortTaken
    from server.rpc.tls import CertificateWrong
    from server.store import StoreError
    from tournament.rpc.service import TOURNAMENTS

    signals: asyncio.Queue[signal.Signals] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, signals.put_nowait, number)
    try:
        service = Service(config, LOCAL_FACTORIES, (TOURNAMENTS,))
        await service.open()
    except PortTaken as error:
        fail(f"{error}; --game-port, --admin-port and --http-port choose others")
    except (CertificateWrong, StoreError) as error:
        fail(error)
    settle()
    try:
        for what, where in service.listens().items():
            typer.echo(f"{what:<8}{where}")
        _warn(config)
        asked = asyncio.create_task(_asked(service.asked_to_drain, signals))
        try:
            if await signals.get() is signal.SIGTERM:
                await _drain(service.drain(), signals)
        finally:
            asked.cancel()
    finally:
        await service.close()


def _warn(config: Config) -> None:
    game = config.game
    if game.allow_insecure and game.address not in LOOPBACK:
        missing = [
            what
            for what, there in (
                ("without TLS: whoever is on the way reads hands", config.tls.key),
                ("without tokens: whoever gets here plays", game.auth is Auth.ON),
            )
            if not there
        ]
        for what in missing:
            typer.echo(f"ohhell: WARNING: {game.address} is open {what}", err=True)


async def _asked(asked: asyncio.Event, signals: asyncio.Queue[signal.Signals]) -> None:
    """An operator's wish is as good as the signal."""
    await asked.wait()
    signals.put_nowait(signal.SIGTERM)


async def _drain(
    draining: Coroutine[Any, Any, None], signals: asyncio.Queue[signal.Signals]
) -> None:
    """Until everything is played, or another signal comes."""
    tasks = (asyncio.create_task(draining), asyncio.create_task(signals.get()))
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
