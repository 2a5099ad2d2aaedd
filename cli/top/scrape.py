"""One reading of /metrics: what is counted, and since when."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from itertools import pairwise
from math import isfinite, isnan
from typing import Final

from prometheus_client.parser import text_string_to_metric_families

from server.address import Address

PATIENCE_S: Final = 5.0
LONGEST: Final = 64 << 20
OURS: Final = "ohhell_"

_DIRECTLY: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Whatever proxy the environment names: it may not know this machine's addresses."""

Labels = tuple[tuple[str, str], ...]


class NoMetrics(Exception):
    """Nothing to be read there; the message says why, and what would be right."""


@dataclass(frozen=True, slots=True)
class Scrape:
    """Values by name and labels; `at` is of a clock that only goes forward.

    `age` is for how many seconds the process had been running, None if it hides that.
    """

    at: float
    age: float | None
    values: dict[str, dict[Labels, float]]

    def total(self, name: str) -> float:
        """The sum over all labels; 0 where there is nothing."""
        return sum(self.values.get(name, {}).values())

    def by(self, name: str, *labels: str) -> dict[tuple[str, ...], float]:
        """Sums by the values of some labels."""
        sums: defaultdict[tuple[str, ...], float] = defaultdict(float)
        for found, value in self.values.get(name, {}).items():
            given = dict(found)
            sums[tuple([given.get(label, "") for label in labels])] += value
        return dict(sums)

    def has(self, name: str) -> bool:
        return name in self.values

    def buckets(self, name: str) -> dict[float, float]:
        """A histogram over all labels: how many were at most so much."""
        found = self.by(f"{name}_bucket", "le")
        return {float(le): count for (le,), count in sorted(found.items())}


def scrape(url: str) -> Scrape:
    """Read a page; NoMetrics."""
    try:
        with _DIRECTLY.open(url, timeout=PATIENCE_S) as response:
            text = response.read(LONGEST).decode("utf-8")
            date = response.headers.get("Date")
        at = time.monotonic()
        values: defaultdict[str, dict[Labels, float]] = defaultdict(dict)
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                # What is not known may be told as no number.
                if isfinite(sample.value) and not isnan(_bound(sample.labels)):
                    labels = tuple(sorted(sample.labels.items()))
                    values[sample.name][labels] = sample.value
    except urllib.error.HTTPError as error:
        with error:
            raise NoMetrics(f"{url}: {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        reason = error.reason
        told = reason.strerror if isinstance(reason, OSError) else str(reason)
        raise NoMetrics(
            f"{url}: {told or reason}; a service and a tournament say at their start"
            " where their metrics are"
        ) from None
    except http.client.BadStatusLine:
        raise NoMetrics(
            f"{url} is no page of metrics: what listens there is no web server;"
            " metrics are on port 9464 unless told otherwise"
        ) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoMetrics(f"{url} is no page of metrics ({error})") from None
    if not any(name.startswith(OURS) for name in values):
        raise NoMetrics(f"{url} has no metrics of a service or a tournament of ohhell")
    return Scrape(at, _age(date, values), dict(values))


def _bound(labels: Mapping[str, str]) -> float:
    """Of a bucket; ValueError where it is no number."""
    return float(labels.get("le", 0))


def _age(date: str | None, values: dict[str, dict[Labels, float]]) -> float | None:
    """By the clock of the other side alone."""
    started = sum(values.get("process_start_time_seconds", {}).values())
    if not (date and started):
        return None
    try:
        return max(1.0, parsedate_to_datetime(date).timestamp() - started)
    except ValueError:
        return None


def quantile(share: float, buckets: dict[float, float]) -> float | None:
    """Below what a share of the values lies, evenly spread inside a bucket.

    None where there are no values; the last finite bound where they lie beyond it.
    """
    bounds = sorted(buckets.items())
    if not bounds or bounds[-1][1] <= 0:
        return None
    wanted = share * bounds[-1][1]
    for (below, fewer), (bound, count) in pairwise([(0.0, 0.0), *bounds]):
        if count >= wanted and count > fewer:
            if bound == float("inf"):
                return below
            return below + (bound - below) * (wanted - fewer) / (count - fewer)
    return None


def since(now: dict[float, float], before: dict[float, float]) -> dict[float, float]:
    """A histogram of what has come between two readings."""
    return {le: count - before.get(le, 0.0) for le, count in now.items()}


def page_at(text: str) -> str:
    """The page that is meant by HOST:PORT or a URL; NoMetrics for what is neither."""
    if text.startswith(("http://", "https://")):
        return text if text.count("/") > 2 else f"{text}/metrics"
    try:
        return f"http://{Address.of(text)}/metrics"
    except ValueError:
        raise NoMetrics(f"{text!r} is neither HOST:PORT nor a URL") from None
