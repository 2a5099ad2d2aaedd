"""A whole service in this process, and people who use it over real gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from bots.local import LOCAL_FACTORIES
from ohhell.v1 import match_pb2, rules_pb2, tables_pb2, tables_pb2_grpc
from server.config import Admin, Auth, Config, Game, Http, StoreSettings
from server.patience import Patience
from server.rpc.service import Service
from server.rpc.serving import Addition

Metadata = tuple[tuple[str, str], ...]


@dataclass
class Served:
    """A service with its store, and a stub."""

    service: Service
    channel: grpc.aio.Channel
    store: Path

    @property
    def tables(self) -> tables_pb2_grpc.TableServiceAsyncStub:
        return tables_pb2_grpc.TableServiceStub(self.channel)

    async def create(self, **fields: object) -> tables_pb2.CreateTableResponse:
        wanted: dict[str, object] = {
            "rules": rules_pb2.RulesSpec(preset="pagat_standard"),
            "players": 3,
            "house_bots": ["greedy", "lowest"],
            "seed": 11,
        }
        request = tables_pb2.CreateTableRequest(**(wanted | fields))  # type: ignore[arg-type]  # fields as given
        return await self.tables.CreateTable(request)

    async def join(self, table: str, **fields: object) -> tuple[int, Metadata]:
        request = tables_pb2.JoinTableRequest(table=table, **fields)  # type: ignore[arg-type]  # fields as given
        joined = await self.tables.JoinTable(request)
        return joined.seat.seat, bearer(joined.seat_token)


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


@asynccontextmanager
async def serving(
    tmp_path: Path,
    auth: Auth = Auth.OFF,
    *,
    additions: Sequence[Addition] = (),
    **patience: int,
) -> AsyncIterator[Served]:
    """A service on a free port, its store in the folder; patience in milliseconds."""
    store = tmp_path / "ohhell.db"
    service = Service(
        Config(
            game=Game(port=0, auth=auth),
            admin=Admin(port=0),
            http=Http(port=0),
            store=StoreSettings(where=str(store)),
            patience=Patience(**patience),
        ),
        LOCAL_FACTORIES,
        additions,
    )
    await service.open()
    try:
        assert service.game is not None
        address = f"127.0.0.1:{service.game.port}"
        async with grpc.aio.insecure_channel(address) as channel:
            yield Served(service, channel, store)
    finally:
        await service.close()


async def refusal(call: object) -> tuple[grpc.StatusCode, str]:
    """Status and reason of a call that is refused with exactly one ErrorInfo."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call  # type: ignore[misc]  # any call of a stub
    status = rpc_status.from_call(caught.value)  # type: ignore[arg-type]  # has what is read
    assert status is not None
    infos = [d for d in status.details if d.Is(error_details_pb2.ErrorInfo.DESCRIPTOR)]
    (packed,) = infos
    info = error_details_pb2.ErrorInfo()
    packed.Unpack(info)
    assert info.domain == "ohhell"
    return caught.value.code(), info.reason


async def play_out(
    served: Served, table: str, seat: int, token: Metadata
) -> match_pb2.View:
    """Plays the seat by unary calls, always the first legal action."""
    tables = served.tables
    while True:
        response = await tables.GetView(
            tables_pb2.GetViewRequest(table=table, seat=seat, wait_ms=20_000),
            metadata=token,
        )
        view = response.view
        decision = match_pb2.Decision(seq=view.seq, seat=seat)
        if view.ask == match_pb2.ASK_BID:
            await tables.PlaceBid(
                tables_pb2.PlaceBidRequest(
                    table=table, decision=decision, bid=view.legal_bids[0]
                ),
                metadata=token,
            )
        elif view.ask == match_pb2.ASK_PLAY:
            play = tables_pb2.PlayCardRequest(table=table, decision=decision)
            if view.legal_cards:
                play.card = view.legal_cards[0]
            await tables.PlayCard(play, metadata=token)
        else:
            assert view.phase == match_pb2.PHASE_OVER
            return view
