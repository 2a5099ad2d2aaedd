"""`[confinement]` of a spec: how far started bots are kept from everything else."""

from __future__ import annotations

from tournament.launcher import Confinement, IllegalConfinement, Limits
from tournament.spec.reading import Table

_MB = 1 << 20
_MOST_MB = 1 << 30
_USUAL = Limits()


def read_confinement(table: Table, *, is_here: bool) -> Confinement:
    """Read the table; where it is played here, see that this machine can do it."""
    limits = Limits(
        memory_bytes=_megabytes(table, "memory_mb"),
        open_files=table.number(
            "open_files", _USUAL.open_files or 0, least=16, most=1 << 20
        ),
        file_bytes=_megabytes(table, "file_mb"),
        processes=(
            table.number("processes", 1, least=1, most=1 << 22)
            if "processes" in table
            else None
        ),
    )
    confinement = Confinement(
        user=table.get("user", str, "") or None,
        bubblewrap=table.get("bubblewrap", bool, default=False),
        limits=limits,
    )
    before = len(table.mistakes)
    table.finish()
    if is_here and len(table.mistakes) == before:
        try:
            confinement.check()
        except IllegalConfinement as error:
            right = "change that, or take it out of the spec"
            table.wrong("", f"cannot be had: {error}", right)
    return confinement


def _megabytes(table: Table, key: str) -> int | None:
    if key not in table:
        return None
    return table.number(key, 1, least=1, most=_MOST_MB) * _MB


def confinement_keys(confinement: Confinement) -> dict[str, object]:
    """Give what differs from no confinement, as a spec says it."""
    limits = confinement.limits
    given = {
        "user": confinement.user,
        "bubblewrap": confinement.bubblewrap or None,
        "memory_mb": _in_megabytes(limits.memory_bytes),
        "open_files": limits.open_files,
        "file_mb": _in_megabytes(limits.file_bytes),
        "processes": limits.processes,
    }
    if limits.open_files == _USUAL.open_files:
        del given["open_files"]
    return {key: value for key, value in given.items() if value is not None}


def _in_megabytes(size: int | None) -> int | None:
    return None if size is None else size // _MB
