"""Page tokens go on where the page before ended, for whom and what it was given."""

from __future__ import annotations

import base64
from pathlib import Path

import grpc

from ohhell.v1 import admin_pb2, tables_pb2
from tests.doubles.operators import WRITER, opened, operator_of
from tests.doubles.serving import (
    Metadata,
    bearer,
    new_table,
    person_at,
    refused,
    serving,
)


async def test_a_token_that_was_changed_or_is_somebody_elses_is_refused(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, "--auth", "on") as service:
        async with (
            operator_of(service, tmp_path) as operator,
            person_at(service.game) as tables,
        ):
            ann = bearer(await operator.register("ann", *WRITER))
            bob = bearer(await operator.register("bob", *WRITER))

            async def page(
                token: str, metadata: Metadata = ann, **more: int
            ) -> tables_pb2.ListTablesResponse:
                request = tables_pb2.ListTablesRequest(
                    page_size=1,
                    page_token=token,
                    **more,  # type: ignore[arg-type]  # numbers of an enumeration
                )
                return await tables.ListTables(request, metadata=metadata)

            for _ in range(3):
                await opened(tables, ann)
            token = (await page("")).next_page_token
            assert (await page(token)).tables
            raw = base64.urlsafe_b64decode(token)
            flipped = [
                raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
                for place in range(len(raw))
            ]
            forged = [base64.urlsafe_b64encode(text).decode() for text in flipped]
            for wrong in (*forged, "?", "AAAA", token[:-4], token + "AAAA", token * 9):
                refusal = await refused(page(wrong))
                assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
                assert refusal.reason in ("PAGE_TOKEN_INVALID", "FIELD_INVALID"), wrong
            other = (
                page(token, bob),
                page(token, state=tables_pb2.TABLE_STATE_OPEN),
            )
            for call in other:
                assert (await refused(call)).reason == "PAGE_TOKEN_INVALID"


async def test_pages_neither_skip_nor_repeat_while_tables_come_and_go(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            stay = [(await new_table(tables)).table.table for _ in range(10)]
            found: list[str] = []
            token = ""
            while True:
                page = await tables.ListTables(
                    tables_pb2.ListTablesRequest(page_size=3, page_token=token)
                )
                found += [table.table for table in page.tables]
                token = page.next_page_token
                # Others come at the front, where the list has been already.
                passing = (await new_table(tables)).table.table
                await tables.CancelTable(tables_pb2.CancelTableRequest(table=passing))
                if not token:
                    break
    assert [name for name in found if name in stay] == stay[::-1]
    assert len(set(found)) == len(found)


async def test_bots_are_listed_in_pages_whatever_is_registered_meanwhile(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with operator_of(service, tmp_path) as operator:
            names = [f"bot-{number:02}" for number in range(7)]
            for name in names:
                await operator.register(name)
            found: list[str] = []
            token = ""
            while True:
                page = await operator.admin.ListBots(
                    admin_pb2.ListBotsRequest(page_size=2, page_token=token),
                    metadata=operator.key,
                )
                found += [bot.bot for bot in page.bots]
                token = page.next_page_token
                await operator.register(f"aa-{len(found)}")
                if not token:
                    break
            assert [name for name in found if name in names] == names
            assert len(set(found)) == len(found)
            wrong = admin_pb2.ListBotsRequest(page_token="bot-03")  # noqa: S106 - of a page
            refusal = await refused(
                operator.admin.ListBots(wrong, metadata=operator.key)
            )
            assert refusal.reason == "PAGE_TOKEN_INVALID"
