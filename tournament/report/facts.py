"""What a reader must know about a run before its numbers, one line each."""

from __future__ import annotations

from tournament.commitments import Disclosure
from tournament.counted import counted
from tournament.journal import Charter
from tournament.schedule import Span, design
from tournament.spec import Dialled, Duplicate, Spec
from tournament.standings import Standings

_DEALS = {
    "reproducible": "reproducible: whoever knows the seed knows all cards",
    "sealed": "sealed: drawn from a secret of this run",
}

_DUPLICATE = {
    Duplicate.ON: "on: each deal is played in every rotation of the seats",
    Duplicate.OFF: (
        "off: each match has deals of its own, so the luck of the cards does not "
        "cancel within a block and intervals are wider than they would be"
    ),
}
_CALLED = "; bots that are called run elsewhere, in what surroundings is not known"
_SHOWN_ROOTS = 4


def facts(
    spec: Spec,
    charter: Charter,
    standings: Standings,
    *,
    disclosure: Disclosure,
    suspended: tuple[str, ...],
    isolation: str,
) -> dict[str, str]:
    """Give the facts by their heading, in reading order."""
    balance = design(len(spec.entrants), spec.seats).balance()
    called = any(isinstance(entrant.source, Dialled) for entrant in spec.entrants)
    trusted = [entrant.name for entrant in spec.entrants if entrant.trusted]
    found = {
        "Tournament": charter.tournament,
        "Rules": f"{spec.preset}, {spec.seats} seats, hash {spec.rules_hash[:16]}",
        "Played": (
            f"{standings.blocks} of {spec.blocks} blocks, {standings.matches} matches"
        ),
        "Schedule": (
            f"{spec.schedule.value.replace('_', ' ')}; in each cycle a bot plays "
            f"{_span(balance.tables)} tables and meets another at "
            f"{_span(balance.meetings)}"
        ),
        "Deals": _DEALS[deals_of(spec)],
        "Commitments": _commitments(disclosure),
        "Duplicate": _DUPLICATE[spec.duplicate],
        "Time": (
            f"{spec.time.per_decision_ms} ms a decision, bank {spec.time.bank_ms} ms, "
            f"increment {spec.time.increment_ms} ms"
        ),
        "Isolation": isolation + (_CALLED if called else ""),
    }
    if trusted:
        found["Trusted"] = f"one process for all copies of a deal: {', '.join(trusted)}"
    if suspended:
        found["Suspended"] = ", ".join(suspended)
    return found


def deals_of(spec: Spec) -> str:
    """Tell `reproducible` deals, which follow from a published seed, from `sealed`."""
    return "sealed" if spec.seed is None else "reproducible"


def _commitments(disclosure: Disclosure) -> str:
    if not disclosure.promises:
        return "none yet"
    shown = [
        f"{one.root.hex()} (blocks {one.first} to {one.first + one.blocks - 1})"
        for one in disclosure.promises
        if not one.attempt
    ]
    more = len(disclosure.promises) - len(shown[:_SHOWN_ROOTS])
    rest = [f"{more} more in results.json"] if more else []
    state = (
        "all opened: the secret is in results.json"
        if disclosure.secret
        else f"{counted(len(disclosure.opened), 'seed')} opened so far, in results.json"
    )
    return "; ".join([*shown[:_SHOWN_ROOTS], *rest, state])


def _span(span: Span) -> str:
    low, high = span
    return str(low) if low == high else f"{low} to {high}"
