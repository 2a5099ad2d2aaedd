"""The bot that is checked, however it is reached."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from server.address import Address, Trust
from server.host import Host
from server.registry import GUEST
from server.rpc.dial import CannotDial, Dialler
from tournament.lanes import READY_WITHIN
from tournament.launcher import BotProcess, Exit, Handle, Launcher, LauncherError

NAME = "checked"
"""Under which the bot is registered."""
STARTED_BY_HAND_WITHIN = 600.0


class Unreachable(Exception):
    """The bot cannot be had at all; the message says why."""


class Subject(Protocol):
    """A bot that a service can be given."""

    bot: str
    """Its name there."""

    @property
    def can_begin_anew(self) -> bool:
        """Whether a process without a past can be had at will."""

    @property
    def present(self) -> bool:
        """Whether it has come, and need not come again unless it ends."""

    @property
    def connects_within(self) -> float:
        """Seconds that it may take to connect."""

    @property
    def pid(self) -> int | None:
        """The process, where it is one of ours."""

    @property
    def ended(self) -> asyncio.Future[Exit] | None:
        """Its end, where it is one of ours."""

    async def come(self, host: Host, address: str) -> None:
        """Has the bot connect, unless it does by itself; Unreachable."""

    async def follow(self, host: Host, address: str) -> None:
        """The service is a new one; Unreachable."""

    async def go(self, grace: float) -> Exit | None:
        """Ends what `come` began."""


@dataclass
class Started:
    """A command, run by the launcher so that nothing of it is left over."""

    launcher: Launcher
    command: tuple[str, ...]
    directory: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    """For the bot's library, beside where the service is."""
    bot: str = NAME
    handle: Handle | None = None
    token: str = ""

    can_begin_anew = True
    connects_within = READY_WITHIN

    @property
    def present(self) -> bool:
        return self.handle is not None and self.handle.running

    @property
    def pid(self) -> int | None:
        return self.handle.pid if self.handle is not None else None

    @property
    def ended(self) -> asyncio.Future[Exit] | None:
        if self.handle is None:
            return None
        return asyncio.ensure_future(self.handle.exited)

    async def come(self, host: Host, address: str) -> None:
        if not self.token:
            host.bots.add(self.bot)
            self.token = host.bots.issue(self.bot, 0)
        process = BotProcess(
            name=self.bot,
            command=self.command,
            directory=self.directory,
            settings={**self.settings, "address": address, "lane": "0"},
            token=self.token,
        )
        try:
            self.handle = await self.launcher.start(process)
        except LauncherError as error:
            raise Unreachable(str(error)) from None

    async def follow(self, host: Host, address: str) -> None:
        """It connects again by itself."""

    async def go(self, grace: float) -> Exit | None:
        handle, self.handle = self.handle, None
        return None if handle is None else await handle.stop(grace)


@dataclass
class Served:
    """A bot that is a server and runs already."""

    address: Address
    trust: Trust | None = None
    bot: str = NAME
    dialler: Dialler | None = None

    can_begin_anew = False
    connects_within = READY_WITHIN
    pid = None
    ended = None

    @property
    def present(self) -> bool:
        return self.dialler is not None

    async def come(self, host: Host, address: str) -> None:
        self.dialler = Dialler(host, lambda _: None)
        try:
            await self.dialler.call(self.bot, 0, self.address, self.trust)
        except CannotDial as error:
            raise Unreachable(str(error)) from None

    async def follow(self, host: Host, address: str) -> None:
        await self.go(1.0)
        await self.come(host, address)

    async def go(self, grace: float) -> Exit | None:
        if self.dialler is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(grace):
                    await self.dialler.close()
        return None


@dataclass
class Awaited:
    """A bot that somebody starts, and that dials in without a token."""

    bot: str = GUEST

    can_begin_anew = False
    connects_within = STARTED_BY_HAND_WITHIN
    present = True
    pid = None
    ended = None

    async def come(self, host: Host, address: str) -> None:
        """It does by itself."""

    async def follow(self, host: Host, address: str) -> None:
        """It connects again by itself."""

    async def go(self, grace: float) -> Exit | None:
        return None
