"""results.json: what a tournament concluded, for programs to read.

docs/results.md says what each field means, docs/results.schema.json checks them. Equal
blocks give equal bytes: nothing in it depends on when, where or how fast it was played.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from tournament.commitments import Disclosure
from tournament.journal import Charter
from tournament.report.facts import deals_of
from tournament.spec import Duplicate, House, Spec
from tournament.standings import BotStanding, Standings

FORMAT = 1


def results(
    spec: Spec,
    charter: Charter,
    standings: Standings,
    *,
    disclosure: Disclosure,
    suspended: Sequence[str],
    isolation: str,
) -> dict[str, object]:
    """Give results.json as plain data."""
    return {
        "format": FORMAT,
        "tournament": charter.tournament,
        "name": spec.name,
        "preset": spec.preset,
        "rules_hash": spec.rules_hash,
        "seats": spec.seats,
        "schedule": spec.schedule.value,
        "deals": deals_of(spec),
        "seed": spec.seed,
        "duplicate": spec.duplicate is Duplicate.ON,
        "commitments": _commitments(disclosure),
        "isolation": isolation,
        "blocks_planned": spec.blocks,
        "blocks": standings.blocks,
        "matches": standings.matches,
        "bots": [
            {
                "name": entrant.name,
                "house": entrant.source.house
                if isinstance(entrant.source, House)
                else None,
                "trusted": entrant.trusted,
                "lanes": entrant.lanes,
            }
            for entrant in spec.entrants
        ],
        "suspended": list(suspended),
        "standings": [_line(line) for line in standings.lines],
        "untainted": None
        if standings.untainted is None
        else {
            "blocks": standings.untainted.blocks,
            "matches": standings.untainted.matches,
            "standings": [_line(line) for line in standings.untainted.lines],
        },
        "head_to_head": [
            [None if cell is None else list(cell) for cell in row]
            for row in standings.versus
        ],
        "variance_reduction": standings.variance_reduction,
        "warnings": list(standings.warnings),
    }


def _commitments(disclosure: Disclosure) -> dict[str, object]:
    secret = disclosure.secret
    return {
        "promised": [
            {**promise._asdict(), "root": promise.root.hex()}
            for promise in disclosure.promises
        ],
        "secret": secret.secret.hex() if secret else None,
        "nonces": secret.nonces.hex() if secret else None,
        "opened": [
            {
                **one._asdict(),
                "seed": one.seed.hex(),
                "beside": [node.hex() for node in one.beside],
            }
            for one in disclosure.opened
        ],
    }


def results_text(document: Mapping[str, object]) -> str:
    """Write results as they stand in the file."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _line(line: BotStanding) -> dict[str, object]:
    return {
        "bot": line.name,
        "place": line.place,
        "points_per_deal": line.points_per_deal,
        "ci": _pair(line.ci),
        "versus_field": line.versus_field,
        "mean_points_per_deal": line.mean_points_per_deal,
        "rating": line.rating,
        "rating_ci": _pair(line.rating_ci),
        "rating_mark": line.mark.value,
        "win_share": line.win_share,
        "win_share_ci": _pair(line.win_share_ci),
        "bid_hit": line.bid_hit,
        "bid_hit_ci": _pair(line.bid_hit_ci),
        "faults": dict(line.faults),
        "blocks": line.blocks,
        "matches": line.matches,
        "deals": line.deals,
        "tainted": line.tainted,
    }


def _pair(interval: Sequence[float] | None) -> list[float] | None:
    return None if interval is None else list(interval)
