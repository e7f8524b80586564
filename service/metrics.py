"""What Prometheus reads: requests, turns, streams. Names and outcomes only, never what was said."""

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from ..memory.complaints import Rate
from ..memory.records import Answer

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """The figures of one service."""

    def __init__(self) -> None:
        """Begin at nought."""
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "veridical_requests",
            "Requests by route and status.",
            ["method", "route", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "veridical_request_seconds", "Seconds until the response began.", ["route"], registry=self._registry
        )
        self._answers = Counter(
            "veridical_answers",
            "Answers, by who worded them.",
            ["mode", "abstained", "configuration"],
            registry=self._registry,
        )
        self._given = Gauge(
            "veridical_answers_given",
            "Answers in the store, by configuration.",
            ["configuration"],
            registry=self._registry,
        )
        self._complained = Gauge(
            "veridical_answers_complained_of",
            "Of these, those against which somebody complained.",
            ["configuration"],
            registry=self._registry,
        )
        self._streams = Gauge("veridical_event_streams", "Open streams of events.", registry=self._registry)

    def requested(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def answered(self, answer: Answer, configuration: str) -> None:
        """Count an answer, by the configuration that gave it."""
        self._answers.labels(answer.mode, str(answer.abstained).lower(), configuration).inc()

    def page(self, *, streams: int, rates: Sequence[Rate]) -> bytes:
        """The figures as Prometheus takes them; those of complaints are of the whole store."""
        self._streams.set(streams)
        for one in rates:
            self._complained.labels(one.configuration).set(one.complaints)
            self._given.labels(one.configuration).set(one.answers)
        return generate_latest(self._registry)
