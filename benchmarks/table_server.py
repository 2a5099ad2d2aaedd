"""The service for people, with everything on: tables by single calls, no tokens asked.

``python -m benchmarks.table_server [--no-store]`` prints its port and an empty line,
and serves until its input ends.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from server import logs
from server.host import Host, settle
from server.lobby import Lobby
from server.metrics import Metrics
from server.rpc.serving import GameListener
from server.store import Store


async def _serve(store: Store | None) -> None:
    logs.configure("warning")
    metrics = Metrics()
    host = Host(observers=(metrics, logs.FactLog()), auth_required=False, store=store)
    host.start()
    lobby = Lobby(host)
    listener = GameListener(host, metrics, address="127.0.0.1", port=0, lobby=lobby)
    await listener.start()
    settle()
    print(listener.port, end="\n\n", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    host.close()
    await listener.stop(0)


def main() -> None:
    """Serve, with a store unless told otherwise."""
    if sys.argv[1:] == ["--no-store"]:
        asyncio.run(_serve(None))
        return
    with (
        tempfile.TemporaryDirectory() as temporary,
        Store(Path(temporary) / "ohhell.db") as opened,
    ):
        asyncio.run(_serve(opened))


if __name__ == "__main__":
    main()
