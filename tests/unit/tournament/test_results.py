"""results.json and the table in the terminal."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
from rich.console import Console

from tests.doubles.played import block_of
from tests.doubles.runs import spec_of
from tournament.commitments import disclosure, promise
from tournament.identity import new_charter
from tournament.outcome import BlockResult
from tournament.report.results import results, results_text
from tournament.report.terminal import standings_table
from tournament.spec import Spec
from tournament.standings import Standings, standings

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "docs" / "results.schema.json").read_text()
)


def concluded(blocks: int) -> Standings:
    results: list[BlockResult] = [
        block_of(index, (0, 1, 2, 3), lambda copy, seat, bot: 10 * bot + copy * seat)
        for index in range(blocks)
    ]
    return standings(results, ("a", "b", "c", "d"), replicates=20)


def document(spec: Spec, blocks: int) -> dict[str, object]:
    charter = new_charter(spec)
    return results(
        spec,
        charter,
        concluded(blocks),
        disclosure=disclosure(
            charter.seeds,
            [promise(charter.seeds, 0, 0, blocks=spec.blocks)],
            [(0, 0), (1, 0), (1, 1)],
            committed=blocks,
            blocks=spec.blocks,
            ended=blocks == spec.blocks,
        ),
        suspended=["a"],
        isolation="none",
    )


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_results_follow_their_schema_however_little_is_known() -> None:
    for blocks in (0, 1, 3, 6):
        for seed in (None, 4):
            text = results_text(document(spec_of(seed=seed), blocks))
            jsonschema.validate(json.loads(text), SCHEMA)


def test_every_field_is_described() -> None:
    page = (Path(__file__).parents[3] / "docs" / "results.md").read_text()
    line = SCHEMA["$defs"]["line"]["properties"]
    for field in (*SCHEMA["properties"], *line):
        assert f"`{field}`" in page or f"`{field}[]`" in page, field


def test_deals_are_called_sealed_only_without_a_published_seed() -> None:
    assert document(spec_of(seed=None), 1)["deals"] == "sealed"
    assert document(spec_of(seed=4), 1)["deals"] == "reproducible"


def _far_apart(block: int) -> Callable[[int, int, int], int]:
    """Give long numbers, won by one bot mostly, so that every interval is there."""
    turned = block % 3 == 0
    return lambda copy, seat, bot: -1000 * ((bot + turned) % 4) - seat - 7 * block * bot


def test_the_terminal_table_stays_within_80_columns_for_the_longest_names() -> None:
    names = tuple(letter * 63 for letter in "abcd")
    blocks = [block_of(i, (0, 1, 2, 3), _far_apart(i)) for i in range(12)]
    shown = standings(blocks, names, replicates=20)
    console = Console(file=io.StringIO(), width=80, record=True)
    console.print(standings_table(shown))
    lines = console.export_text().splitlines()
    places = [line.split()[0] for line in lines if "…" in line]
    assert places == ["1", "2", "3", "4"]
    assert all(len(line) <= 80 for line in lines)
