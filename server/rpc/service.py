"""The whole service: host, lobby, store and listeners, made from settings."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence

import structlog

from server import logs
from server.config import Auth, Config
from server.health import HealthListener
from server.host import Host
from server.lobby import Lobby
from server.metrics import Metrics
from server.players.local import BotFactory
from server.rpc.serving import Addition, AdminListener, GameListener, PortTaken
from server.store import Durability, Store


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
            house_bots=house_bots,
            observers=(self.metrics, logs.FactLog()),
            auth_required=config.game.auth is Auth.ON,
            store=self._store,
            patience=config.patience,
        )
        self.lobby = Lobby(self.host)
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
        self.host.start()
        self._ends.callback(self.host.close)
        self.lobby.resume()
        self._watch_numbers()
        self.game = GameListener(
            self.host,
            self.metrics,
            address=config.game.address,
            port=config.game.port,
            lobby=self.lobby,
            additions=self._additions,
        )
        self._ends.push_async_callback(self.game.stop, 1.0)
        if config.admin.enabled:
            self.admin = AdminListener(
                self.metrics, address=config.admin.address, port=config.admin.port
            )
            self._ends.push_async_callback(self.admin.stop, 1.0)
            await self.admin.start()
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

    def _is_ready(self) -> bool:
        return not self.host.draining and self.host.keeper.trouble is None

    def _watch_numbers(self) -> None:
        host = self.host
        self.metrics.gauges.update(
            {
                "ohhell_stream_active": (
                    "Streams of bots that are open",
                    lambda: sum(host.arena.streams().values()),
                ),
                "ohhell_outbox_frames": (
                    "Frames and questions that wait to be sent",
                    host.arena.waiting_frames,
                ),
                "ohhell_store_failing": (
                    "1 while nothing can be stored, so that nothing is accepted",
                    lambda: float(host.keeper.trouble is not None),
                ),
                "ohhell_drain_state": (
                    "1 while the service goes down",
                    lambda: float(host.draining),
                ),
            }
        )

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
        """
        grace_s = self._config.shutdown.grace_s
        self.host.drain(grace_s * 1000)
        if self.game is not None:
            await self.game.refuse()
        self._log.info("draining", tables=len(self.host.tables))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                await self.host.emptied()

    async def close(self) -> None:
        """Ends everything, the last opened first."""
        self.host.suspend()
        self.host.arena.close("", "DRAINING")
        await self._ends.aclose()
