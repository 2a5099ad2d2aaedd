"""What every bid is worth with every number of tricks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.bidding import Claim, granted_premium
from engine.rules import Rules
from engine.scoring import Coefficients, ninety_nine_points, points

WIDTH = 80


def points_document(rules: Rules, size: int) -> dict[str, object]:
    """Give the table as JSON values, `points[bid][tricks]`; ninety_nine has its own."""
    coefficients = rules.coefficients
    document: dict[str, object] = {"cards": size}
    if coefficients is None:
        return document | {
            "missed": _ninety_nine(0, size),
            "made": {str(n): _ninety_nine(n, size) for n in (3, 2, 1)},
            "premium": premiums(),
        }
    return document | {
        "coefficients": coefficients._asdict(),
        "points": points_table(coefficients, size),
        "without_bid": list(range(size + 1)),
    }


def points_table(coefficients: Coefficients, size: int) -> list[list[int]]:
    """Give the points by bid and by tricks won, both from 0 to `size`."""
    amounts = range(size + 1)
    return [
        [points(coefficients, bid=bid, won=won, size=size) for won in amounts]
        for bid in amounts
    ]


def premiums() -> Mapping[str, int]:
    """Give what a claim granted is worth, by its name."""
    worth = {}
    for claim in (Claim.DECLARE, Claim.REVEAL):
        premium = granted_premium([claim, Claim.NONE, Claim.NONE], dealer=0)
        worth[claim.name.lower()] = premium.worth if premium else 0
    return worth


def _ninety_nine(successes: int, size: int) -> list[int]:
    """By tricks won, of a seat that is one of so many that made their bid."""
    made = [seat < successes for seat in range(3)]
    rows = []
    for won in range(size + 1):
        bids = [won if hit else won + 1 for hit in made]
        rows.append(ninety_nine_points(bids, [won] * 3, None)[0])
    return rows


def points_lines(rules: Rules, size: int) -> Iterator[str]:
    """Print the table within 80 columns; an exact bid is marked with a star."""
    coefficients = rules.coefficients
    if coefficients is None:
        labels = {3: "made by all three", 2: "made by two", 1: "made alone"}
        rows = {"missed": _ninety_nine(0, size)}
        rows |= {label: _ninety_nine(n, size) for n, label in labels.items()}
        yield from _panels("", rows, starred=False)
        worth = " or ".join(f"{n} to {claim}" for claim, n in premiums().items())
        yield f"premium: {worth}, to its holder"
        yield "who makes the bid, else to each of the others"
        return
    table = points_table(coefficients, size)
    rows = {str(bid): row for bid, row in enumerate(table)}
    yield from _panels("bid", rows, starred=True)
    if rules.no_bid_at_score is not None:
        yield "a seat that does not bid gets 1 a trick"


def _panels(
    corner: str, rows: Mapping[str, Sequence[int]], *, starred: bool
) -> Iterator[str]:
    """Columns are numbers of tricks; as many side by side as a terminal holds."""
    label = max(len(corner), *map(len, rows))
    cells = {
        name: [
            f"{number}*" if starred and name == str(won) else f"{number} "
            for won, number in enumerate(row)
        ]
        for name, row in rows.items()
    }
    columns = len(next(iter(rows.values())))
    width = 1 + max(len(cell) for row in cells.values() for cell in row)
    at_once = (WIDTH - label - 1) // width
    for start in range(0, columns, at_once):
        shown = range(start, min(start + at_once, columns))
        if start:
            yield ""
        yield f"{'':{label}} tricks won".rstrip()
        heads = "".join(f"{f'{won} ':>{width}}" for won in shown)
        yield f"{corner:{label}} {heads}".rstrip()
        for name, row in cells.items():
            line = "".join(f"{row[won]:>{width}}" for won in shown)
            yield f"{name:>{label}} {line}".rstrip()
