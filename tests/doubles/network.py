"""A network between clients and a service, which is cut or loses everything."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Network:
    """Carries bytes between connections to `address` and the service."""

    def __init__(self, service: str, *, cut_after: int | None) -> None:
        host, _, port = service.rpartition(":")
        self._service = (host, int(port))
        self._cut_after = cut_after
        self._writers: list[asyncio.StreamWriter] = []
        self._open: list[asyncio.Task[object]] = []
        self._vanished = False
        self.carried = 0
        """Bytes from the service."""
        self.address = ""

    def vanish(self) -> None:
        """Loses everything from now on, and tells neither end."""
        self._vanished = True

    def cut(self) -> None:
        """Resets all connections."""
        for writer in self._writers:
            writer.transport.abort()

    async def close(self) -> None:
        self.cut()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.append(task)
        up_reader, up_writer = await asyncio.open_connection(*self._service)
        self._writers += [writer, up_writer]
        with contextlib.suppress(ConnectionError):
            await asyncio.gather(
                self._carry(reader, up_writer), self._bring(up_reader, writer)
            )

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """To the service; an end is passed on."""
        while data := await reader.read(65_536):
            await self._pass_on(data, writer)
        self._end()

    async def _bring(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """From the service, as much of it as there may be."""
        while data := await reader.read(65_536):
            if self._cut_after is not None:
                data = data[: self._cut_after - self.carried]
            self.carried += len(data)
            await self._pass_on(data, writer)
            if self.carried == self._cut_after:
                break
        self._end()

    async def _pass_on(self, data: bytes, writer: asyncio.StreamWriter) -> None:
        if not self._vanished:
            writer.write(data)
            await writer.drain()

    def _end(self) -> None:
        if not self._vanished:
            self.cut()


@asynccontextmanager
async def network(
    service: str, *, cut_after: int | None = None
) -> AsyncIterator[Network]:
    """To the service at this address; cut after so many bytes from there."""
    found = Network(service, cut_after=cut_after)
    server = await asyncio.start_server(found.connected, "127.0.0.1", 0)
    found.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield found
    finally:
        server.close()
        await found.close()
