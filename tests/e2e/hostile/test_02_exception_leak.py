"""Our own mistakes hold cards: callers get an id, logs a place, nobody the text."""

from __future__ import annotations

import json
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import tables_pb2
from tests.doubles.flavour import IS_COMPILED
from tests.doubles.serving import (
    new_table,
    person_at,
    refusal_of,
    refused,
    serving,
    someone,
)

CANARY = "AS KD QH 2C canary"
BREAKS = f"""
import server.rpc.{{module}} as module
def broken(*args, **kwargs):
    raise ValueError({CANARY!r})
module.{{name}} = broken
"""


def breaking(module: str, name: str) -> str:
    return BREAKS.format(module=module, name=name)


async def test_the_text_of_an_exception_reaches_neither_callers_nor_logs(
    tmp_path: Path,
) -> None:
    broken = breaking("tables", "view")
    with serving(
        tmp_path,
        "--log-level",
        "debug",
        prelude=broken,
        shutdown__grace_s=0,
    ) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            refusal = await refused(anna.view())
            assert refusal.code is grpc.StatusCode.INTERNAL
            assert refusal.reason == "INTERNAL_ERROR"
            error_id = refusal.metadata.pop("error_id")
            assert refusal.metadata == {}
            assert CANARY not in refusal.message
            # What is not broken goes on.
            assert (await new_table(tables)).table.table
        service.end()
        log = service.log.read_text()
    assert CANARY not in log
    assert "canary" not in log
    (line,) = [line for line in log.splitlines() if error_id in line]
    assert json.loads(line)["error"] == "ValueError"


async def test_a_watch_that_breaks_says_as_little_and_breaks_alone(
    tmp_path: Path,
) -> None:
    broken = breaking("watching", "view")
    with serving(tmp_path, prelude=broken) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            watch = tables.WatchTable(
                tables_pb2.WatchTableRequest(table=anna.table, seat=anna.seat),
                metadata=anna.token,
            )
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await watch.read()
            assert refusal_of(caught.value).code is grpc.StatusCode.INTERNAL
            assert CANARY not in str(caught.value)
            assert (await anna.play_on()).seq > 0
        assert CANARY not in service.log.read_text()


@pytest.mark.skipif(IS_COMPILED, reason="nothing can be broken in compiled modules")
async def test_a_table_that_fails_takes_no_other_along(tmp_path: Path) -> None:
    # The second match in which a person acts cannot be moved on.
    broken = f"""
import server.table as module
good, seen = module.act, []
def broken(match, seat, *args):
    if seat == 0 and match not in seen:
        seen.append(match)
    if seat == 0 and seen.index(match) == 1:
        raise ValueError({CANARY!r})
    return good(match, seat, *args)
module.act = broken
"""
    with serving(tmp_path, prelude=broken) as service:
        async with person_at(service.game) as tables:
            anna, ben = await someone(tables), await someone(tables)
            assert (anna.seat, ben.seat) == (0, 0)
            await anna.act(await anna.turn())
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await ben.act(await ben.turn())
            assert CANARY not in str(caught.value)
            assert (await anna.play_on()).seq > 0
        assert CANARY not in service.log.read_text()
