"""TOML in one canonical form: equal values give equal bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping


def document(tables: Iterable[tuple[str, Mapping[str, object]]]) -> str:
    """Write (header, keys) pairs in the order given; empty tables are left out."""
    parts = []
    for header, keys in tables:
        if keys:
            lines = [f"{key} = {value(one)}" for key, one in keys.items()]
            parts.append("\n".join([header, *lines] if header else lines) + "\n")
    return "\n".join(parts)


def value(one: object) -> str:
    """Write a string, number, truth value, list, or table with its keys sorted."""
    match one:
        case bool():
            return "true" if one else "false"
        case int() | float():
            return repr(one)
        case str():
            # A JSON string is a TOML basic string, but for DEL.
            return json.dumps(one, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list() | tuple():
            return "[" + ", ".join(value(item) for item in one) + "]"
        case Mapping():
            pairs = (f"{value(str(key))} = {value(one[key])}" for key in sorted(one))
            return "{" + ", ".join(pairs) + "}"
        case _:
            msg = f"TOML has no form for {one!r}"
            raise TypeError(msg)
