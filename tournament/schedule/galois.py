"""Finite fields, as far as designs need them: addition, and powers of a generator."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product


@dataclass(frozen=True, slots=True)
class GaloisField:
    """GF(p^m); an element is the integer whose digits in base p are its coefficients.

    `powers[e]` is g^e for a generator g of the q - 1 non-zero elements.
    """

    characteristic: int
    degree: int
    powers: tuple[int, ...]

    def add(self, a: int, b: int) -> int:
        """Add digit by digit, without carry."""
        p, total, place = self.characteristic, 0, 1
        for _ in range(self.degree):
            total += (a + b) % p * place
            a, b, place = a // p, b // p, place * p
        return total


def prime_power(q: int) -> tuple[int, int] | None:
    """Return (p, m) with q = p^m and p prime, or None."""
    p = next((d for d in range(2, q + 1) if q % d == 0), None)
    if p is None:
        return None
    m = 0
    while q % p == 0:
        q, m = q // p, m + 1
    return (p, m) if q == 1 else None


@cache
def galois_field(q: int) -> GaloisField:
    """Build GF(q) for a prime power q; raises ValueError for any other q."""
    shape = prime_power(q)
    if shape is None:
        msg = f"there is no field of {q} elements: {q} is not a prime power"
        raise ValueError(msg)
    p, m = shape
    # x^m = tail(x) makes x a generator exactly when its powers run through all of
    # the q - 1 non-zero elements; this also proves that the polynomial is irreducible.
    for tail in product(range(p), repeat=m):
        powers = _powers_of_x(p, tail)
        if len(powers) == q - 1:
            return GaloisField(p, m, powers)
    msg = f"no primitive polynomial of degree {m} over GF({p})"
    raise AssertionError(msg)


def _powers_of_x(p: int, tail: tuple[int, ...]) -> tuple[int, ...]:
    """List 1, x, x^2, ... modulo x^m - tail, up to 0 or the first repetition."""
    element = (1,) + (0,) * (len(tail) - 1)
    seen: dict[tuple[int, ...], None] = {}
    while any(element) and element not in seen:
        seen[element] = None
        top = element[-1]
        shifted = (0, *element[:-1])
        element = tuple((s + top * t) % p for s, t in zip(shifted, tail, strict=True))
    return tuple(
        sum(digit * p**place for place, digit in enumerate(one)) for one in seen
    )
