"""Names are shown to others, so that nothing may hide in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import admin_pb2, tables_pb2
from tests.doubles.operators import operator_of
from tests.doubles.serving import Serving, new_table, person_at, refused, serving

BAD = {
    "right-to-left": "abc\u202edef",
    "zero-width": "a\u200db",
    "no-break": "a\u00a0b",
    "combining": "e\u0301",
    "tag": "a\U000e0041",
    "private": "\ue000",
    "unassigned": "\u0378",
    "new-line": "a\nb",
    "escape": "\x1b[31mred",
    "nul": "a\0b",
    "spaces": "   ",
    "before": " a",
    "after": "a ",
    "wide-space": "a\u3000b",
    "too-long": "x" * 33,
    "emoji-flood": "\U0001f600" * 33,
}
GOOD = [
    "\u00c5sa \u00d6berg",
    "\u674e\u96f7",
    "\U0001f600",
    "x" * 32,
    "=1+1",
    "<b>",
    '"',
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Serving]:
    with serving(folder, "--log-level", "debug") as running:
        yield running


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
async def test_a_name_in_which_something_may_hide_is_refused_everywhere(
    service: Serving, folder: Path, name: str
) -> None:
    async with (
        person_at(service.game) as tables,
        operator_of(service, folder) as operator,
    ):
        table = (await new_table(tables)).table.table
        bot = admin_pb2.RegisterBotRequest(bot="named", display_name=name)
        for call, field in [
            (new_table(tables, display_name=name), "display_name"),
            (
                tables.JoinTable(
                    tables_pb2.JoinTableRequest(table=table, display_name=name)
                ),
                "display_name",
            ),
            (operator.admin.RegisterBot(bot, metadata=operator.key), "display_name"),
        ]:
            refusal = await refused(call)
            assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT, field
            assert refusal.reason == "FIELD_INVALID"


@pytest.mark.parametrize("name", GOOD)
async def test_a_name_that_is_printable_is_kept_as_it_was_written(
    service: Serving, name: str
) -> None:
    async with person_at(service.game) as tables:
        created = await new_table(tables, display_name=name)
        assert created.table.display_name == name
        join = tables_pb2.JoinTableRequest(table=created.table.table, display_name=name)
        joined = await tables.JoinTable(join)
        assert joined.seat.players[0] == name


@pytest.mark.parametrize(
    "bot",
    ["\u0430lice", "\uff41lice", "a_b", "a.b", "-a", "a-", "a b", "x" * 64, "", "a/b"],
)
async def test_the_name_of_a_bot_is_plain_ascii(
    service: Serving, folder: Path, bot: str
) -> None:
    async with operator_of(service, folder) as operator:
        request = admin_pb2.RegisterBotRequest(bot=bot)
        refusal = await refused(
            operator.admin.RegisterBot(request, metadata=operator.key)
        )
        assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_names_that_only_differ_in_case_are_one(
    service: Serving, folder: Path
) -> None:
    async with operator_of(service, folder) as operator:
        await operator.register("Alice")
        for bot in ("alice", "ALICE", "Alice", "guest"):
            request = admin_pb2.RegisterBotRequest(bot=bot)
            refusal = await refused(
                operator.admin.RegisterBot(request, metadata=operator.key)
            )
            assert refusal.code is grpc.StatusCode.ALREADY_EXISTS


async def test_the_log_stays_a_line_for_each_event(service: Serving) -> None:
    async with person_at(service.game) as tables:
        await new_table(tables, display_name="\u2713 =cmd|x")
    lines = service.log.read_text().splitlines()
    assert lines
    assert all(isinstance(json.loads(line), dict) for line in lines)
