"""How decisions ended, counted one by one and read as Prometheus does."""

from __future__ import annotations

from prometheus_client.core import HistogramMetricFamily

from server.histogram import Histogram
from server.observe import Observer, Observers, Verdict
from server.players.port import Link
from server.tally import Tally


def buckets(histogram: Histogram) -> dict[str, float]:
    family = HistogramMetricFamily("h", "", labels=())
    histogram.add_to(family, [])
    return {
        sample.labels.get("le", sample.name): sample.value for sample in family.samples
    }


def test_a_value_is_counted_under_the_least_bound_that_holds_it() -> None:
    histogram = Histogram((1.0, 2.0, 4.0))
    for value in (0.0, 1.0, 1.0, 1.5, 4.0, 4.0, 5.0, 1.5, 0.0):
        histogram.observe(value)
    assert buckets(histogram) == {
        "1.0": 4,
        "2.0": 6,
        "4.0": 8,
        "+Inf": 9,
        "h_count": 9,
        "h_sum": 18.0,
    }


def test_accepted_answers_are_timed_and_others_are_counted() -> None:
    tally = Tally()
    for seconds in (0.1, 0.1, 0.3):
        tally.decided(2, Verdict.OK, Link.DIAL_IN, seconds)
    tally.decided(2, Verdict.OK, Link.UNARY, 9.0)
    tally.decided(1, Verdict.TIMEOUT, Link.DIAL_IN, 0.0)
    tally.decided(1, Verdict.TIMEOUT, Link.DIAL_IN, 0.0)
    assert tally.outcomes() == {
        (2, Verdict.OK, Link.DIAL_IN): 3,
        (2, Verdict.OK, Link.UNARY): 1,
        (1, Verdict.TIMEOUT, Link.DIAL_IN): 2,
    }
    took = {(ask, link): buckets(h)["0.1"] for ask, link, h in tally.seconds()}
    assert took == {(2, Link.DIAL_IN): 2, (2, Link.UNARY): 0}


def test_a_listener_may_be_a_method_or_anything_under_its_name() -> None:
    heard: list[str] = []

    class Ear(Observer):
        def decided(
            self, ask: int, verdict: Verdict, link: Link, seconds: float
        ) -> None:
            heard.append("method")

    bare = Observer()
    bare.decided = lambda *_: heard.append("callable")  # type: ignore[method-assign]  # as Metrics does
    observer = Observers([Ear(), bare, Observer()])
    observer.decided(1, Verdict.OK, Link.LOCAL, 0.1)
    assert heard == ["method", "callable"]
