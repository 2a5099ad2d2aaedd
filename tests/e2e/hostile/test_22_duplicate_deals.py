"""The same deals at two tables: the one that is over tells the other nothing."""

from __future__ import annotations

from pathlib import Path

import grpc

from ohhell.v1 import tables_pb2
from tests.doubles.serving import (
    new_table,
    person_at,
    refused,
    serving,
    sit_down,
    someone,
)

DENIED = grpc.StatusCode.PERMISSION_DENIED


async def test_nothing_of_a_deal_is_told_while_it_is_played_elsewhere(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            over = await someone(tables, seed=5)
            still = (await new_table(tables, seed=5)).table.table
            last = await over.play_on()
            asked = tables_pb2.GetRecordRequest(table=over.table)
            look = tables_pb2.GetViewRequest(table=over.table)
            watch = tables.WatchTable(tables_pb2.WatchTableRequest(table=over.table))
            listed = await tables.ListTables(tables_pb2.ListTablesRequest())
            by_id = {table.table: table for table in listed.tables}
            assert list(by_id[over.table].scores) == []
            assert (await refused(tables.GetRecord(asked))).reason == "EMBARGOED"
            assert (await refused(tables.GetView(look))).code is DENIED
            assert (await refused(watch.read())).code is DENIED
            # Who sat there keeps its own view, and learns no more than it knew.
            own = await over.view()
            assert list(own.scores) == list(last.scores)
            refusal = await refused(tables.GetRecord(asked, metadata=over.token))
            assert refusal.reason == "EMBARGOED"
            await (await sit_down(tables, still)).play_on()
            assert (await tables.GetRecord(asked)).text
            assert (await tables.GetView(look)).view.seq == last.seq
            listed = await tables.ListTables(tables_pb2.ListTablesRequest())
            assert all(len(table.scores) == 3 for table in listed.tables)
