"""
The HTTP interface: its routes and middleware.

    gate -> CORS -> token -> shortcut for predictions -> FastAPI
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from ner_zoo.rendering import markdown, render
from ner_zoo.service import schema
from ner_zoo.service.documentation import address_of, documentation
from ner_zoo.service.fast_predict import FastPredict, predicted
from ner_zoo.service.limits import Refused
from ner_zoo.service.middleware import RequestMiddleware
from ner_zoo.service.openapi import ANSWERS, DESCRIPTION, body_of, with_components
from ner_zoo.service.rendering_work import Rendering
from ner_zoo.service.responses import answer, failed, problem, to_bytes
from ner_zoo.service.service import Service
from ner_zoo.service.token_check import TokenCheck

STATIC = Path(__file__).parent / "static"


def create_app(service: Service) -> RequestMiddleware:
    """The application that serves `service`; its models are loaded at startup."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        connections = service.number_of_connections
        batchers = [model.open(service.limits, service.metrics, connections) for model in service.models.values()]
        yield
        for batcher in batchers:
            await batcher.close()

    app = FastAPI(
        title="ner_zoo",
        description=DESCRIPTION,
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    _add_prediction(app, service)
    _add_rendering(app, service)
    _add_operations(app, service)
    _add_pages(app, service)
    static = StaticFiles(directory=STATIC)
    static.all_directories = [STATIC, render.STATIC]
    app.mount("/static", static, name="static")
    _add_refusals(app)
    inner: Any = TokenCheck(FastPredict(app, service), service.token)
    if service.origins:
        inner = CORSMiddleware(
            inner,
            allow_origins=list(service.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type"],
            expose_headers=["Retry-After", "X-Request-ID"],
        )
    return RequestMiddleware(inner, service.metrics, service.hosts, lambda: service.is_leaving)


def _add_prediction(app: FastAPI, service: Service) -> None:
    @app.post(
        "/predict",
        summary="Find entities and relations in one text or several",
        description="One object gets one prediction; `inputs` get `outputs`, in order. If the model fails on one of "
        "several inputs, the output for it is an object with `error`.",
        response_model=None,
        responses={200: {"model": schema.Prediction | schema.Outputs, "description": "The prediction"}, **ANSWERS},
        openapi_extra=body_of("predict"),
    )
    async def predict(request: Request) -> Response:
        return await predicted(request, service)


def _add_rendering(app: FastAPI, service: Service) -> None:
    for format, what in (("html", "a page"), ("fragment", "HTML without styles"), ("conll", "columns of BIO tags")):
        media = "text/plain" if format == "conll" else "text/html"
        app.add_api_route(
            f"/render/{format}",
            _renderer(service, format),
            methods=["POST"],
            summary=f"A prediction as {what}",
            description="Takes a prediction of `/predict` for one text. Anything outside the text is not shown.",
            operation_id=f"render_{format}",
            response_class=PlainTextResponse if format == "conll" else HTMLResponse,
            response_model=None,
            responses={200: {"description": f"The prediction as {what}", "content": {media: {}}}, **ANSWERS},
            openapi_extra=body_of("render"),
        )


def _renderer(service: Service, format: str) -> Any:
    """The endpoint of one format."""

    async def rendering(request: Request) -> Response:
        work = Rendering(await service.bodies.read(request), format, service.limits)
        content = await service.done(work, service.model(None))
        if format == "conll":
            return PlainTextResponse(content)
        # A whole page with its own script and styles is offered as a download, not shown under this service's address.
        headers = {"Content-Disposition": 'attachment; filename="annotated.html"'} if format == "html" else {}
        return HTMLResponse(content, headers=headers)

    return rendering


def _add_operations(app: FastAPI, service: Service) -> None:
    def health() -> dict[str, Any]:
        return {"status": "ok", "ready": service.is_ready, "models": list(service.models)}

    @app.get("/healthz", summary="Liveness probe", response_model=schema.Health)
    async def healthz() -> Response:
        return answer(to_bytes(health()))

    refusal = {503: {"model": schema.Health, "description": "Shutting down, or the queue is full"}}

    @app.get("/readyz", summary="Readiness probe", response_model=schema.Health, responses=refusal)  # type: ignore
    async def readyz() -> Response:
        return answer(to_bytes(health()), 200 if service.is_ready else 503)

    @app.get("/metrics", summary="Metrics for Prometheus", response_class=PlainTextResponse, responses=_only(401))
    async def metrics() -> Response:
        for model in service.models.values():
            waiting = 0 if model.batcher is None else model.batcher.waiting
            service.metrics.queue.labels(model.name).set(waiting)
        return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    @app.get("/models", summary="Loaded models by name, the default first", responses=_only(401))
    async def models() -> schema.Models:
        return schema.Models(models=[schema.ModelInfo(name=name) for name in service.models])


def _add_pages(app: FastAPI, service: Service) -> None:
    page = (STATIC / "page.html").read_text(encoding="utf-8")
    card_page = (STATIC / "card.html").read_text(encoding="utf-8")

    @app.get("/", include_in_schema=False)
    async def index() -> Response:
        return HTMLResponse(page)

    @app.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        return HTMLResponse(documentation(app.openapi(), address_of(request), bool(service.token)))

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        return answer(to_bytes(app.openapi()))

    app.openapi = with_components(app, service.limits)  # type: ignore[method-assign]

    @app.get(
        "/model",
        summary="The model card",
        description="An HTML page, or Markdown if the Accept header is text/markdown.",
        response_class=HTMLResponse,
        responses=_only(401, 404),
    )
    async def model(request: Request, name: str | None = None) -> Response:
        card = service.model(name).card
        if "text/markdown" in request.headers.get("accept", ""):
            return Response(card, media_type="text/markdown; charset=utf-8")
        return HTMLResponse(card_page.replace("{{card}}", markdown.to_html(card)))

    @app.get("/model/fragment", include_in_schema=False)
    async def model_fragment(name: str | None = None) -> Response:
        return HTMLResponse(f'<div class="prose">{markdown.to_html(service.model(name).card)}</div>')


def _only(*statuses: int) -> dict[Any, Any]:
    return {status: ANSWERS[status] for status in statuses}


def _add_refusals(app: FastAPI) -> None:
    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        return problem(error)

    @app.exception_handler(HTTPException)
    async def known(_: Request, error: HTTPException) -> Response:
        response = problem(Refused(error.status_code, str(error.detail)))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    async def unknown(_: Request, error: Exception) -> Response:
        return failed(error)
