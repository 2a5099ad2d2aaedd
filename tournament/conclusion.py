"""What a run comes to: standings from its committed blocks, results and report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournament.commitments import disclosure
from tournament.deciding import blocks_to_play
from tournament.folder import RunFolder, write_whole
from tournament.journal import Journal
from tournament.launcher import isolation
from tournament.report.facts import facts
from tournament.report.html import report_page
from tournament.report.results import results, results_text
from tournament.spec import Duplicate, Spec
from tournament.standings import Standings, standings
from tournament.suspension import suspended


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What a run says; `document` is results.json, `about` the head of the report."""

    title: str
    standings: Standings
    suspended: tuple[str, ...]
    document: Mapping[str, object]
    about: Mapping[str, str]

    @property
    def results_file(self) -> bytes:
        """Give results.json."""
        return results_text(self.document).encode()

    def write(self, folder: RunFolder) -> None:
        """Write results and report."""
        write_whole(folder.results, self.results_file)
        page = report_page(self.title, self.about, self.standings)
        write_whole(folder.report, page.encode())


def conclude(spec: Spec, journal: Journal) -> Conclusion:
    """Work everything out from the committed blocks."""
    committed = journal.committed()
    concluded = standings(
        committed, spec.names, duplicate=spec.duplicate is Duplicate.ON
    )
    published = disclosure(
        journal.charter.seeds,
        journal.promises(),
        journal.attempts(),
        committed=len(committed),
        blocks=spec.blocks,
        ended=len(committed) == blocks_to_play(spec, committed),
    )
    unfit = suspended(committed, len(spec.names))
    names = tuple(name for bot, name in enumerate(spec.names) if bot in unfit)
    level = isolation(spec.confinement)
    return Conclusion(
        title=spec.name,
        standings=concluded,
        suspended=names,
        document=results(
            spec,
            journal.charter,
            concluded,
            disclosure=published,
            suspended=names,
            isolation=level.value,
        ),
        about=facts(
            spec,
            journal.charter,
            concluded,
            disclosure=published,
            suspended=names,
            isolation=level.describe(),
        ),
    )
