"""Names that somebody makes up cost no memory, and are no labels."""

from __future__ import annotations

import asyncio
import random
import string
from pathlib import Path

import grpc

from ohhell.v1 import tables_pb2
from tests.doubles.operators import raw_method
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import THIRD_WAITS, person_at, refused, serving

CALLS = 1_000


def series(text: str) -> set[str]:
    """Everything that is counted, without its number."""
    lines = text.splitlines()
    return {line.rpartition(" ")[0] for line in lines if not line.startswith("#")}


async def test_method_names_that_are_made_up_add_no_series(tmp_path: Path) -> None:
    names = random.Random(24)  # noqa: S311 - of methods

    def name() -> str:
        service, method = (
            "".join(names.choices(string.ascii_letters + "._", k=12)) for _ in "ab"
        )
        return f"/{service}/{method}"

    with serving(tmp_path, limits__refusals_burst=2 * CALLS) as service:
        async with grpc.aio.insecure_channel(service.game) as channel:

            async def call(method: str) -> None:
                made = raw_method(channel, method)(b"", timeout=PATIENCE_S)
                assert await made.code() is grpc.StatusCode.UNIMPLEMENTED

            await call(name())
            before = series(service.http("/metrics")[1])
            for _ in range(CALLS // 100):
                await asyncio.gather(*(call(name()) for _ in range(100)))
            _, text = service.http("/metrics")
        assert series(text) == before
        (counted,) = [
            line
            for line in text.splitlines()
            if line.startswith("grpc_server_handled_total{") and "UNIMPLEMENTED" in line
        ]
        assert counted.endswith(f" {CALLS + 1}.0")


async def test_calls_of_methods_that_are_made_up_are_told_ever_later(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, **THIRD_WAITS) as service:
        async with grpc.aio.insecure_channel(service.game) as channel:
            reasons = [
                (await refused(raw_method(channel, f"/x/{n}")(b"", timeout=20))).reason
                for n in range(4)
            ]
            assert reasons == ["UNKNOWN_METHOD"] * 2 + ["RATE_LIMITED"] * 2
        async with person_at(service.game) as tables:
            await tables.ListTables(tables_pb2.ListTablesRequest())
