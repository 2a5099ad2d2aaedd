"""Records that were kept replay for ever, whatever the engine becomes."""

from __future__ import annotations

import json

import pytest

import engine
from engine.presets import preset_names
from engine.record import match_of, parse_record, print_record, record_of
from tests.conformance.records.keep import KEPT, path_of


def test_every_preset_has_its_kept_record() -> None:
    assert {path.stem for path in KEPT.iterdir()} == set(preset_names())


@pytest.mark.parametrize("preset", preset_names())
def test_a_kept_record_replays_and_prints_the_same(preset: str) -> None:
    text = path_of(preset).read_text(encoding="utf-8").removesuffix("\n")
    record = parse_record(text)
    assert record.is_complete
    assert print_record(record) == text
    match = match_of(record)
    assert print_record(record_of(match, record.players)) == text
    assert match.phase is engine.Phase.OVER
    header = json.loads(text.partition("\n")[0])
    assert record.rules.hash(len(record.players)) == header["rules_hash"]


@pytest.mark.parametrize("preset", preset_names())
def test_a_preset_still_has_the_rules_of_its_record(preset: str) -> None:
    record = parse_record(path_of(preset).read_text(encoding="utf-8"))
    assert engine.Rules.of(preset) == record.rules
