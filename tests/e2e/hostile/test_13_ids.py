"""Ids from outside never become paths, addresses or anything else but keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import tables_pb2
from tests.doubles.serving import Serving, person_at, refused, serving

IDS = [
    "../../etc/passwd",
    "/etc/passwd",
    "t-1/../../x",
    "%2e%2e%2fetc",
    "tables/x",
    "t-abc/",
    "T-ABC",
    "t_abc",
    "",
    "x" * 64,
    "x" * 10_000,
    "unix:/tmp/x",
    "169.254.169.254",
    "[::1]:80",
    "2130706433",
    "a\0b",
    "a\nb",
    "\u0430bc",
    "'; drop table seats; --",
]

WATCH_FILES = """
import sys
opened = []
def audit(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        opened.append(arguments[0])
    elif event in ("socket.connect", "socket.getaddrinfo"):
        opened.append(str(arguments))
sys.addaudithook(audit)
import atexit
atexit.register(lambda: open("opened", "w").write("\\n".join(opened)))
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.mark.parametrize("table", IDS, ids=range(len(IDS)))
async def test_an_id_that_is_none_is_refused_before_anything_is_looked_up(
    service: Serving, table: str
) -> None:
    # A field that is empty is not there, and a table without a name is not either.
    reason = "FIELD_INVALID" if table else "TABLE_NOT_FOUND"
    async with person_at(service.game) as tables:
        for call in (
            tables.GetTable(tables_pb2.GetTableRequest(table=table)),
            tables.JoinTable(tables_pb2.JoinTableRequest(table=table)),
            tables.CancelTable(tables_pb2.CancelTableRequest(table=table)),
        ):
            assert (await refused(call)).reason == reason
        for hidden in (
            tables.GetRecord(tables_pb2.GetRecordRequest(table=table)),
            tables.GetView(tables_pb2.GetViewRequest(table=table)),
        ):
            assert (await refused(hidden)).code is grpc.StatusCode.NOT_FOUND


async def test_no_file_and_no_address_is_opened_for_an_id(tmp_path: Path) -> None:
    with serving(tmp_path, prelude=WATCH_FILES) as service:
        async with person_at(service.game) as tables:
            for table in IDS:
                await refused(tables.GetTable(tables_pb2.GetTableRequest(table=table)))
                create = tables_pb2.CreateTableRequest(house_bots=[table], players=3)
                create.rules.preset = table
                await refused(tables.CreateTable(create))
        assert service.end() == 0
    opened = (tmp_path / "opened").read_text()
    assert "ohhell.db" in opened
    for table in filter(None, IDS):
        assert table not in opened
