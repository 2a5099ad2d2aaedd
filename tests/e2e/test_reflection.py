"""Each listener shows its own schema, and nothing of the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import serving


async def asked(
    address: str, request: reflection_pb2.ServerReflectionRequest
) -> reflection_pb2.ServerReflectionResponse:
    async with grpc.aio.insecure_channel(address) as channel:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)  # type: ignore[arg-type]  # serves both kinds
        call = stub.ServerReflectionInfo(timeout=PATIENCE_S)
        await call.write(request)
        await call.done_writing()
        answer = await call.read()
        assert isinstance(answer, reflection_pb2.ServerReflectionResponse)
        return answer


async def knows(address: str, symbol: str) -> bool:
    request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=symbol)
    return (await asked(address, request)).HasField("file_descriptor_response")


async def test_each_listener_shows_its_own_schema_only(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        game, admin = service.listens["game"], service.listens["admin"]
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        shown = {
            address: {
                service.name
                for service in (
                    await asked(address, request)
                ).list_services_response.service
            }
            for address in (game, admin)
        }
        assert "ohhell.v1.AdminService" in shown[admin]
        assert "ohhell.v1.AdminService" not in shown[game]
        assert shown[game] & shown[admin] == {
            "grpc.health.v1.Health",
            "grpc.reflection.v1alpha.ServerReflection",
        }
        for service_name in shown[game]:
            assert await knows(game, service_name)
        assert await knows(admin, "ohhell.v1.SetLimitsRequest")
        for symbol in ("ohhell.v1.AdminService", "ohhell.v1.SetLimitsRequest"):
            assert not await knows(game, symbol)
        assert not await knows(admin, "ohhell.v1.TableService")
        file = reflection_pb2.ServerReflectionRequest(
            file_by_filename="ohhell/v1/admin.proto"
        )
        assert (await asked(game, file)).HasField("error_response")


async def test_streams_that_are_left_after_their_first_answer_end_nothing_else(
    tmp_path: Path,
) -> None:
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    with serving(tmp_path) as service:
        # One in twenty of them crashed the process, whose log asked gRPC for the
        # caller's address after the call was over.
        for _ in range(200):
            await asked(service.listens["game"], request)
        assert service.process.poll() is None
