"""The whole service: host, lobby, store and listeners, made from settings."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import structlog
from google.protobuf.internal import api_implementation

from server import logs
from server.config import Auth, Config
from server.health import HealthListener
from server.host import Host
from server.lobby import Lobby
from server.metrics import Metrics
from server.operator import Access
from server.players.local import BotFactory
from server.registry import BotRegistry
from server.retention import Retention
from server.rpc.admin import AdminService
from server.rpc.identity import Operators
from server.rpc.serving import Addition, AdminListener, GameListener, PortTaken
from server.rpc.tls import CertificateFiles, Certificates
from server.store import Durability, Store
from server.token_uses import TokenUses
from server.tokens import ADMIN_TOKEN, new_secret

EXPIRY_S = 5.0
"""A token whose time is over ends its streams within so many seconds."""

LAST_LOOK_S = 2.0
"""From the end of the last match to that of the service, where it goes down."""


class Expiry:
    """Looks for tokens whose time is over."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.alarm_at = 0.0

    def wake(self, now: float) -> None:
        self._host.bots.expire()
        self._host.alarms.set(self, now + EXPIRY_S)

    def fail(self, error: Exception) -> None:
        self._host.observer.unexpected("expiry", error)


class Service:
    """Opened on a running loop by `open`; always ended by `close`."""

    def __init__(
        self,
        config: Config,
        house_bots: Mapping[str, BotFactory],
        additions: Sequence[Addition] = (),
    ) -> None:
        self._config = config
        self._additions = additions
        self._log = structlog.get_logger("service")
        self.metrics = Metrics()
        self._ends = contextlib.AsyncExitStack()
        self._store: Store | None = None
        if config.store.where:
            durability = Durability[config.store.durability.name]
            self._store = Store(config.store.where, durability=durability)
            self._ends.callback(self._store.close)
        self.host = Host(
            bots=BotRegistry(self._store.bots if self._store else None),
            limits=config.limits,
            house_bots=house_bots,
            observers=(self.metrics, logs.FactLog()),
            auth_required=config.game.auth is Auth.ON,
            store=self._store,
            patience=config.patience,
        )
        self.lobby = Lobby(self.host)
        self.asked_to_drain = asyncio.Event()
        """Set once an operator wants the service to go down."""
        self._grace_ms = config.shutdown.grace_s * 1000
        self._expiry = Expiry(self.host)
        self.game: GameListener | None = None
        self.admin: AdminListener | None = None
        self.http: HealthListener | None = None

    async def open(self) -> None:
        """Listens everywhere; PortTaken, with nothing left open, if it cannot."""
        try:
            await self._open()
        except BaseException:
            await self._ends.aclose()
            raise

    async def _open(self) -> None:
        config = self._config
        if api_implementation.Type() == "python":
            self._log.warning(
                "protobuf runs without its compiled part: all messages are dear"
            )
        self.host.start()
        self._ends.callback(self.host.close)
        self.lobby.resume()
        self._expiry.wake(self.host.alarms.clock())
        TokenUses(self.host).wake(self.host.alarms.clock())
        if days := config.store.keep_ended_days:
            Retention(self.lobby, days=days).wake(self.host.alarms.clock())
        self.metrics.watch(self.host)
        self.game = GameListener(
            self.host,
            self.metrics,
            address=config.game.address,
            port=config.game.port,
            lobby=self.lobby,
            additions=self._additions,
            certificates=self._certificates(config.game.client_ca),
        )
        self._ends.push_async_callback(self.game.stop, 1.0)
        if config.admin.enabled:
            await self._open_admin()
        if config.http.enabled:
            try:
                self.http = HealthListener(
                    config.http.address,
                    config.http.port,
                    metrics=self.metrics.text,
                    is_ready=self._is_ready,
                )
            except OSError as error:
                raise PortTaken(
                    f"cannot listen on {config.http.address}:{config.http.port}"
                    f" (HTTP): {error.strerror}"
                ) from None
            self._ends.callback(self.http.close)
        await self.game.start()

    async def _open_admin(self) -> None:
        config = self._config
        key = new_secret(ADMIN_TOKEN)
        service = AdminService(
            self.host,
            self.lobby,
            operators=Operators(self.host.bots, key),
            drain=self._ask_to_drain,
        )
        # On this machine alone it needs no TLS; elsewhere operators have certificates.
        client_ca = config.admin.client_ca
        self.admin = AdminListener(
            service,
            self.metrics,
            address=config.admin.address,
            port=config.admin.port,
            host=self.host,
            certificates=self._certificates(client_ca) if client_ca else None,
        )
        self._ends.push_async_callback(self.admin.stop, 1.0)
        await self.admin.start()
        if not client_ca:
            file = config.access_file
            address = f"{config.admin.address}:{self.admin.port}"
            Access(address=address, token=key).write(file)
            self._ends.callback(file.unlink, missing_ok=True)

    def _certificates(self, client_ca: str) -> Certificates | None:
        tls = self._config.tls
        if not tls.certificate:
            return None
        trusted = Path(client_ca) if client_ca else None
        return Certificates(
            CertificateFiles(Path(tls.certificate), Path(tls.key), trusted)
        )

    def _ask_to_drain(self, within_ms: int) -> None:
        self._grace_ms = within_ms or self._grace_ms
        self.asked_to_drain.set()

    def _is_ready(self) -> bool:
        return not self.host.draining and self.host.keeper.trouble is None

    def listens(self) -> dict[str, str]:
        """Addresses by what is to be found there."""
        config = self._config
        found: dict[str, str] = {}
        if self.game is not None:
            found["game"] = f"{config.game.address}:{self.game.port}"
        if self.admin is not None:
            found["admin"] = f"{config.admin.address}:{self.admin.port}"
        if self.http is not None:
            found["metrics"] = f"http://{config.http.address}:{self.http.port}/metrics"
        return found

    async def drain(self) -> None:
        """Admits nobody new, and waits for what is played, up to the grace.

        Clocks stand still meanwhile; what is not over then goes on after a restart.
        Streams are told how a match ended; who plays by single calls is yet to ask.
        """
        self.host.drain(self._grace_ms)
        if self.game is not None:
            await self.game.refuse()
        self._log.info("draining", tables=len(self.host.tables))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._grace_ms / 1000):
                if self.host.tables:
                    await self.host.emptied()
                    await asyncio.sleep(LAST_LOOK_S)

    async def close(self) -> None:
        """Ends everything, the last opened first."""
        self.host.bots.keep_uses()
        self.host.suspend()
        self.host.arena.close("", "DRAINING")
        await self._ends.aclose()
