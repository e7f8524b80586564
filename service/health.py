"""`/healthz`, `/readyz`, `/metrics`: whether the service lives, which legs carry it, and its figures."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from sqlalchemy import select

from ..memory.complaints import rates
from ..memory.errors import EmbedderFailed, StoreError
from ..memory.storage.tables import meta
from ..nodes.contract import Resources
from .bell import Bell
from .documents import Json
from .metrics import CONTENT_TYPE, Metrics

router = APIRouter(tags=["operation"])


@router.get("/healthz")
def healthz() -> Json:
    """Whether the process answers."""
    return {"status": "ok"}


@router.get("/readyz")
def readyz(request: Request, response: Response) -> Json:
    """Which legs stand. Without the database nothing works; without embedder or model answers are poorer."""
    resources: Resources = request.app.state.resources
    sql = _sql(resources)
    if sql != "ok":
        response.status_code = 503
        return {"ready": False, "legs": {"sql": sql}}
    others = {"vectors": _vectors(resources), "embedder": _embedder(resources), "model": _model(resources)}
    return {"ready": True, "legs": {"sql": sql, **others}}


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(request: Request) -> Response:
    """Figures for Prometheus."""
    counted: Metrics = request.app.state.metrics
    bell: Bell = request.app.state.bell
    resources: Resources = request.app.state.resources
    with resources.memory.database.read() as connection:
        found = rates(connection)
    return Response(counted.page(streams=bell.listeners, rates=found), media_type=CONTENT_TYPE)


def _sql(resources: Resources) -> str:
    try:
        with resources.memory.database.read() as connection:
            connection.execute(select(meta.c.key).limit(1))
    except StoreError as error:
        return str(error)
    return "ok"


def _vectors(resources: Resources) -> str:
    """What waits to be embedded is found by its words alone."""
    waiting = resources.memory.vectors.pending()
    return "ok" if not waiting else f"{waiting} turns wait for their embedding"


def _embedder(resources: Resources) -> str:
    try:
        resources.memory.embedder.embed_query(["ready?"])
    except EmbedderFailed as error:
        return error.reason
    return "ok"


def _model(resources: Resources) -> str:
    """How its last call ended: asking it for nothing would cost money each time somebody looks."""
    if resources.models is None:
        return "none: the floor answers"
    last = resources.models.answer.last_call
    if last is None:
        return "not called yet"
    return f"the last call failed: {last.outcome}" if last.outcome != "ok" else "ok"
