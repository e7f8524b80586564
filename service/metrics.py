"""What Prometheus reads: requests, turns, streams. Names and outcomes only, never what was said."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

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
            "veridical_answers", "Answers, by who worded them.", ["mode", "abstained"], registry=self._registry
        )
        self._streams = Gauge("veridical_event_streams", "Open streams of events.", registry=self._registry)

    def requested(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def answered(self, answer: Answer) -> None:
        """Count an answer."""
        self._answers.labels(answer.mode, str(answer.abstained).lower()).inc()

    def page(self, *, streams: int) -> bytes:
        """The figures as Prometheus takes them."""
        self._streams.set(streams)
        return generate_latest(self._registry)
