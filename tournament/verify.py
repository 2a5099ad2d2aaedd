"""Whether a run is what it says it is: promises, deals, records, results.

Everything is worked out again from the secret and the journal, and compared with what
lies in the run folder; every difference becomes a sentence that names it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.errors import RecordError
from engine.record import Record, match_of
from engine.shuffle import published_seed
from tournament.blocks import MatchPlan, plan_block
from tournament.commitments import promise
from tournament.conclusion import conclude
from tournament.course import schedule_of
from tournament.deciding import blocks_to_play
from tournament.folder import RunFolder
from tournament.journal import Journal, JournalUnreadable
from tournament.outcome import BlockResult, CopyResult
from tournament.records import UnreadableRecords, unpacked
from tournament.spec import Duplicate, Spec
from tournament.suspension import Suspensions
from tournament.tallying import UnfinishedMatch, copy_result


@dataclass
class Verification:
    """What has been looked at so far, and what does not agree."""

    promises: int = 0
    blocks: int = 0
    matches: int = 0
    differences: list[str] = field(default_factory=list)


def verify(
    spec: Spec, journal: Journal, folder: RunFolder, found: Verification
) -> Iterator[int]:
    """Check a run, noting everything in `found`; gives each block that is done."""
    try:
        found.differences += _charter(spec, journal, folder)
        found.differences += _promises(spec, journal, found)
        yield from _blocks(spec, journal, folder, found)
        # Nothing follows from blocks that are not those of the schedule.
        if found.blocks == len(journal.committed()):
            found.differences += _results(spec, journal, folder)
    except JournalUnreadable as error:
        found.differences.append(str(error))


def _charter(spec: Spec, journal: Journal, folder: RunFolder) -> Iterator[str]:
    charter = journal.charter
    digest = hashlib.sha256(charter.spec.encode()).hexdigest()[:16]
    if charter.tournament.partition("-")[0] != digest:
        yield f"the tournament id {charter.tournament} is not that of the spec"
    if not folder.spec.is_file():
        yield "spec.toml is missing"
    elif folder.spec.read_bytes() != charter.spec.encode():
        yield "spec.toml is not the spec that was played"
    if spec.seed is not None and charter.secret != published_seed(spec.seed):
        yield f"the secret does not follow from seed = {spec.seed}"


def _promises(spec: Spec, journal: Journal, found: Verification) -> Iterator[str]:
    seeds = journal.charter.seeds
    made = []
    for one in journal.promises():
        found.promises += 1
        if one.first + one.blocks > spec.blocks:
            yield f"{_named(one.first, one.attempt)}: promised for more than there are"
            continue
        made.append(one)
        right = promise(seeds, one.first, one.attempt, blocks=spec.blocks)
        if one != right:
            yield f"{_named(one.first, one.attempt)}: the root is not that of the seeds"
    covered = {
        (block, one.attempt)
        for one in made
        for block in range(one.first, one.first + one.blocks)
    }
    for block, attempt in journal.attempts():
        if (block, attempt) not in covered:
            yield f"{_named(block, attempt)} was played without a commitment"


def _named(block: int, attempt: int) -> str:
    return f"block {block}" + (f", attempt {attempt + 1}" if attempt else "")


def _blocks(
    spec: Spec, journal: Journal, folder: RunFolder, found: Verification
) -> Iterator[int]:
    schedule = schedule_of(spec, journal.charter)
    suspensions = Suspensions(len(spec.entrants))
    committed = journal.committed()
    begun = set(journal.attempts())
    for result in committed:
        index = result.block
        steering = max(0, index - spec.lookahead)
        block = schedule.block(index, committed[:steering])
        if (index, result.attempt) not in begun:
            name = _named(index, result.attempt)
            found.differences.append(f"{name} ended and never began")
        if block is None or block.seating != result.seating:
            what = "seats other bots than the schedule does"
            found.differences.append(f"block {index} {what}")
            continue
        plans = plan_block(
            block,
            result.attempt,
            seed=journal.charter.seeds.seed(index, result.attempt),
            duplicate=spec.duplicate is Duplicate.ON,
            suspended=suspensions.after(steering),
        )
        suspensions.add(result)
        stored = journal.records(index) or b""
        found.differences += _file(folder, index, stored)
        for what in _records(spec, plans, result, stored):
            found.differences.append(f"block {index}{what}")
        found.blocks += 1
        found.matches += len(plans)
        yield index


def _file(folder: RunFolder, block: int, stored: bytes) -> Iterator[str]:
    path = folder.record(block)
    if not path.is_file():
        yield f"records/{path.name} is missing"
    elif path.read_bytes() != stored:
        yield f"records/{path.name} differs from the journal"


def _records(
    spec: Spec, plans: Sequence[MatchPlan], result: BlockResult, stored: bytes
) -> Iterator[str]:
    """Compare the records with the seeds, and what they sum up to with the result."""
    try:
        records = unpacked(stored)
    except UnreadableRecords as error:
        yield f": the journal's records cannot be read: {error}"
        return
    if not len(records) == len(result.copies) == len(plans):
        yield f" has {len(records)} records and {len(result.copies)} results"
        return
    for plan, record, copy in zip(plans, records, result.copies, strict=True):
        for difference in _record(spec, plan, record, copy):
            yield f", copy {plan.copy}: {difference}"


def _record(
    spec: Spec, plan: MatchPlan, record: Record, copy: CopyResult
) -> Iterator[str]:
    names = tuple(spec.entrants[bot].name for bot in plan.seats)
    if record.players != names or copy.seats != plan.seats:
        yield "other bots sit there than the rotation of the seats says"
        return
    if record.rules != spec.rules:
        yield "it was played under other rules"
        return
    if record.first_dealer != plan.first_dealer(spec.rules):
        yield "another seat deals first than the seed says"
        return
    try:
        match_of(record, dealt_from=plan.decks(spec.rules))
        faults = [dict(counts) for counts in copy.faults]
        summed = copy_result(record.entries, seats=plan.seats, faults=faults)
    except RecordError as error:
        yield f"its record does not follow from the seed and the rules: {error}"
    except UnfinishedMatch:
        yield "its record does not end"
    else:
        if summed != copy:
            yield "its record does not sum up to the result in the journal"


def _results(spec: Spec, journal: Journal, folder: RunFolder) -> Iterator[str]:
    played = journal.committed()
    committed = len(played)
    if not folder.results.is_file():
        if committed == blocks_to_play(spec, played):
            yield "results.json is missing"
        return
    stored = folder.results.read_bytes()
    right = conclude(spec, journal)
    if stored == right.results_file:
        return
    try:
        told = json.loads(stored)
        differing = [key for key, value in right.document.items() if told[key] != value]
    except (ValueError, TypeError, KeyError):
        differing = ["its form"]
    blocks = f"the {committed} committed blocks"
    what = f" ({', '.join(differing)})" if differing else ""
    yield f"results.json does not follow from {blocks}{what}"
