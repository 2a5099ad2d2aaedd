"""/metrics of a real run and of a real served match, against what is on record."""

from __future__ import annotations

import asyncio
import re
import signal
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from bots.local import LOCAL_FACTORIES
from cli.runs import open_run
from engine.events import BidMade, CardPlayed
from engine.record import parse_record
from ohhell.v1 import rules_pb2, tables_pb2, tables_pb2_grpc
from server.config import Admin, Config, Game, Http, StoreSettings
from server.rpc.service import Service
from tests.doubles.command import Ohhell, double, house, interrupt
from tests.project.tree import ROOT
from tournament.estimates import Estimator, estimates
from tournament.metrics import TournamentMetrics
from tournament.progress import Tally
from tournament.standings import current_points, standings

THREE = house("greedy", "lowest", "random")


def scraped(url: str) -> dict[str, float]:
    with urllib.request.urlopen(url) as answer:  # noqa: S310 - http, ours
        lines = answer.read().decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def test_a_run_tells_what_its_committed_blocks_say_and_no_more(
    tmp_path: Path,
) -> None:
    ohhell = Ohhell(tmp_path)
    spec = ohhell.spec(double("illegal_card") + THREE, blocks=400)
    arguments = ("tournament", "run", spec, "--metrics-port", "0")
    with ohhell.start(*arguments) as process:
        assert process.stderr is not None
        line = ""
        while "/metrics" not in line:
            line = process.stderr.readline()
        url = line.split()[-1]
        told = scraped(url)
        while told.get("ohhell_tournament_estimated_blocks", 0.0) < 4:
            told = scraped(url)
        interrupt(process, signal.SIGINT)
    with open_run(tmp_path / "runs", "t") as run:
        names = run.spec.names
        results = run.journal.committed()
    blocks = int(told["ohhell_tournament_blocks_committed"])
    played = results[:blocks]
    assert told["ohhell_tournament_blocks_planned"] == 400
    assert told["ohhell_tournament_matches_total"] == 4 * blocks
    assert told["ohhell_tournament_journal_commit_seconds_count"] >= blocks
    rated = estimates(results[: int(told["ohhell_tournament_estimated_blocks"])], 4)
    for bot, name in enumerate(names):
        label = f'{{bot="{name}"}}'
        mean = current_points(played, 4)[bot]
        assert told[f"ohhell_tournament_points_per_deal{label}"] == pytest.approx(mean)
        points, rating = rated.points[bot], rated.ratings[bot]
        assert points is not None
        assert rating is not None
        assert told[f"ohhell_tournament_points_error{label}"] == points.error
        assert told[f"ohhell_tournament_rating{label}"] == rating.elo
        assert told.get(f"ohhell_tournament_rating_error{label}") == rating.error
    faults = standings(played, names, replicates=2).lines
    for one in faults:
        for fault, times in one.faults:
            name = f'{{bot="{one.name}",fault="{fault}"}}'
            assert told[f"ohhell_tournament_faults_total{name}"] == times
    assert any(one.faults for one in faults)
    assert told['ohhell_rejections_total{reason="CARD_NOT_HELD"}'] > 0
    for name in (
        "ohhell_event_loop_lag_seconds_count",
        "ohhell_outbound_queue_frames",
        "ohhell_decision_queue_seconds_count",
        "ohhell_drain_state",
        'ohhell_tables{state="running"}',
    ):
        assert name in told, name
    assert told["ohhell_stream_active"] == 7


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    config = Config(
        game=Game(port=0),
        admin=Admin(port=0),
        http=Http(port=0),
        store=StoreSettings(where=str(tmp_path / "ohhell.db")),
    )
    running = Service(config, LOCAL_FACTORIES)
    await running.open()
    yield running
    await running.close()


async def test_a_served_match_is_counted_decision_by_decision(
    service: Service,
) -> None:
    wanted = tables_pb2.CreateTableRequest(
        rules=rules_pb2.RulesSpec(preset="pagat_standard"),
        players=3,
        house_bots=["greedy", "lowest", "random"],
        seed=11,
    )
    listens = service.listens()
    async with grpc.aio.insecure_channel(listens["game"]) as channel:
        tables = tables_pb2_grpc.TableServiceStub(channel)
        table = (await tables.CreateTable(wanted)).table.table
        with pytest.raises(grpc.aio.AioRpcError):
            await tables.GetTable(tables_pb2.GetTableRequest(table="nowhere"))
        watched = tables_pb2.WatchTableRequest(table=table)
        async for _ in tables.WatchTable(watched):
            pass
        record = await tables.GetRecord(tables_pb2.GetRecordRequest(table=table))
    told = await asyncio.to_thread(scraped, listens["metrics"])
    entries = [entry.event for entry in parse_record(record.text).entries]
    for kind, event in (("bid", BidMade), ("play", CardPlayed)):
        made = sum(isinstance(one, event) for one in entries)
        label = f'{{kind="{kind}",link="local",outcome="ok"}}'
        assert told[f"ohhell_decisions_total{label}"] == made
        seconds = f'ohhell_decision_seconds_count{{kind="{kind}",link="local"}}'
        assert told[seconds] == made
    assert told['ohhell_tables{state="finished"}'] == 1
    assert told['ohhell_tables{state="running"}'] == 0
    assert told['ohhell_rejections_total{reason="TABLE_NOT_FOUND"}'] == 1
    assert told["ohhell_drain_state"] == 0


async def test_the_page_lists_what_is_told(service: Service) -> None:
    page = (ROOT / "docs" / "serving.md").read_text()
    told = await asyncio.to_thread(scraped, service.listens()["metrics"])
    names = {
        re.sub(r"_(bucket|count|sum)$", "", re.sub(r"\{.*", "", name))
        for name in told
        if name.startswith("ohhell_")
    }
    unlisted = {n for n in names if f"`{n.removeprefix('ohhell_')}" not in page}
    assert unlisted == set()


def test_the_page_of_tournaments_lists_what_a_run_tells() -> None:
    page = (ROOT / "docs" / "tournaments.md").read_text()
    tally = Tally(("a",), 1)
    metrics = TournamentMetrics(tally, [], concurrency=1, estimator=Estimator(1))
    families = metrics.collect()
    names = {family.name.removeprefix("ohhell_tournament_") for family in families}
    unlisted = {name for name in names if f"`{name}" not in page}
    assert unlisted == set()
