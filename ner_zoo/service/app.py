"""
The HTTP interface: routes, and how a request becomes a prediction.

    body -> checked -> queue of its model -> thread with the model -> JSON
"""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, AsyncIterator, Dict, List, Mapping, Optional, Sequence

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from ner_zoo.predictors.conll import to_conll
from ner_zoo.rendering import markdown, render
from ner_zoo.service import schema
from ner_zoo.service.documentation import documentation
from ner_zoo.service.gate import Gate
from ner_zoo.service.limits import Limits, Refused
from ner_zoo.service.monitoring import Metrics, logger
from ner_zoo.service.openapi import ANSWERS, DESCRIPTION, body_of, with_components
from ner_zoo.service.responses import answer, problem, to_bytes
from ner_zoo.service.served_model import ServedModel

STATIC = Path(__file__).parent / "static"


@dataclass
class Service:
    """
    models : by name, the default one first.
    limits : see `Limits`.
    token : what clients must bring, or "".
    origins : pages of other origins that may use the service from a browser.
    is_leaving : set when the process has been asked to stop.
    """

    models: Dict[str, ServedModel]
    limits: Limits = field(default_factory=Limits)
    token: str = ""
    origins: Sequence[str] = ()
    is_leaving: bool = False
    metrics: Metrics = field(default_factory=Metrics)

    def model(self, name: Optional[str]) -> ServedModel:
        if name is None:
            return next(iter(self.models.values()))
        if name not in self.models:
            raise Refused(404, f"There is no model of that name. There are: {', '.join(self.models)}.")
        return self.models[name]

    @property
    def is_ready(self) -> bool:
        return not self.is_leaving and all(
            model.batcher is not None and model.batcher.waiting < self.limits.max_queue
            for model in self.models.values()
        )


def create_app(service: Service) -> Gate:
    """The application that serves `service`; its models are opened when it starts."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        batchers = [model.open(service.limits, service.metrics) for model in service.models.values()]
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
    inner: Any = Shortcut(app, service)
    if service.origins:
        inner = CORSMiddleware(
            inner,
            allow_origins=list(service.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type"],
        )
    return Gate(inner, service.metrics, service.token, lambda: service.is_leaving)


async def read_body(request: Request, limits: Limits) -> bytes:
    """The body, as far as the limits of size and time go."""

    async def read() -> bytes:
        parts: List[bytes] = []
        size = 0
        async for part in request.stream():
            size += len(part)
            if size > limits.max_body_bytes:
                raise Refused(413, f"The body is larger than {limits.max_body_bytes} bytes.")
            parts.append(part)
        return b"".join(parts)

    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced[:20]) > limits.max_body_bytes:
        raise Refused(413, f"The body is larger than {limits.max_body_bytes} bytes.")
    try:
        return await asyncio.wait_for(read(), limits.timeout)
    except asyncio.TimeoutError:
        raise Refused(408, f"The body did not come within {limits.timeout:g} seconds.") from None


def _add_prediction(app: FastAPI, service: Service) -> None:
    @app.post(
        "/predict",
        summary="Find entities and relations in one text or several",
        description="One object gets one prediction; `inputs` get `outputs`, in order. A model's failure at one of "
        "several inputs is an object with `error` in its place.",
        response_model=None,
        responses={200: {"model": schema.Prediction | schema.Outputs, "description": "The prediction"}, **ANSWERS},
        openapi_extra=body_of("predict"),
    )
    async def predict(request: Request) -> Response:
        return await predicted(request, service)


class Shortcut:
    """
    Answers `POST /predict` before FastAPI sees it, which describes it and answers everything else: for a short text the
    layers of FastAPI cost as much as the prediction.
    """

    path = "/predict"

    def __init__(self, app: FastAPI, service: Service) -> None:
        self.app = app
        self.service = service

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] != self.path or scope["method"] != "POST":
            await self.app(scope, receive, send)
            return
        scope["route"] = self
        try:
            response = await predicted(Request(scope, receive), self.service)
        except Refused as refused:
            response = problem(refused)
        except Exception as error:
            response = failed(error)
        await response(scope, receive, send)


async def predicted(request: Request, service: Service) -> Response:
    """The answer to a request for predictions."""
    wishes, inputs = schema.parse_request(await read_body(request, service.limits), service.limits)
    model = service.model(wishes.model)
    note = request.scope["note"]
    note.update(model=model.name, inputs=len(inputs))
    if model.batcher is None:
        raise Refused(503, "The service is starting. Come back in a moment.", retry_after=1)
    outputs = await model.batcher.submit(inputs, wishes.options())
    if isinstance(wishes, schema.BatchRequest):
        return answer(b'{"outputs":[' + b",".join(output for output, _ in outputs) + b"]}")
    content, is_error = outputs[0]
    return answer(content, 422 if is_error else 200)


def _add_rendering(app: FastAPI, service: Service) -> None:
    def prediction_of(body: bytes) -> Dict[str, Any]:
        return schema.checked(schema.Prediction, schema.parse_json(body)).model_dump()

    def written(prediction: Mapping[str, Any], format: str) -> Response:
        if format == "conll":
            return PlainTextResponse(to_conll(prediction))
        if format == "fragment":
            return HTMLResponse(render.figure(prediction))
        # A whole page with its own script and styles is for keeping, not to be shown under this service's address.
        headers = {"Content-Disposition": 'attachment; filename="annotated.html"'}
        return HTMLResponse(render.to_document(prediction), headers=headers)

    for format, what in (("html", "a page"), ("fragment", "HTML without styles"), ("conll", "columns of BIO tags")):

        async def rendering(request: Request, format: str = format) -> Response:
            body = await read_body(request, service.limits)
            prediction = await asyncio.get_running_loop().run_in_executor(None, prediction_of, body)
            return await asyncio.get_running_loop().run_in_executor(None, written, prediction, format)

        media = "text/plain" if format == "conll" else "text/html"
        app.add_api_route(
            f"/render/{format}",
            _without_parameters(rendering),
            methods=["POST"],
            summary=f"A prediction as {what}",
            description="Takes what `/predict` answers to one text. What does not lie in the text is not shown.",
            operation_id=f"render_{format}",
            response_class=PlainTextResponse if format == "conll" else HTMLResponse,
            response_model=None,
            responses={200: {"description": f"The prediction as {what}", "content": {media: {}}}, **ANSWERS},
            openapi_extra=body_of("render"),
        )


def _without_parameters(endpoint: Any) -> Any:
    """The endpoint as a function of the request alone, whatever else it has bound."""

    async def of_request(request: Request) -> Response:
        return await endpoint(request)

    return of_request


def _add_operations(app: FastAPI, service: Service) -> None:
    def health() -> Dict[str, Any]:
        return {"status": "ok", "ready": service.is_ready, "models": list(service.models)}

    @app.get("/healthz", summary="Is the process alive?", response_model=schema.Health)
    async def healthz() -> Response:
        return answer(to_bytes(health()))

    refusal = {503: {"model": schema.Health, "description": "Leaving, or the queue is full"}}

    @app.get("/readyz", summary="Should it get requests?", response_model=schema.Health, responses=refusal)  # type: ignore
    async def readyz() -> Response:
        return answer(to_bytes(health()), 200 if service.is_ready else 503)

    @app.get("/metrics", summary="Metrics for Prometheus", response_class=PlainTextResponse, responses=_only(401))
    async def metrics() -> Response:
        for model in service.models.values():
            waiting = 0 if model.batcher is None else model.batcher.waiting
            service.metrics.queue.labels(model.name).set(waiting)
        return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    @app.get("/models", summary="The models by name, the default one first", responses=_only(401))
    async def models() -> schema.Models:
        return schema.Models(models=[schema.ModelInfo(name=name) for name in service.models])


def _add_pages(app: FastAPI, service: Service) -> None:
    page = (STATIC / "page.html").read_text(encoding="utf-8")
    card_page = (STATIC / "card.html").read_text(encoding="utf-8")

    @app.get("/", include_in_schema=False)
    async def index() -> Response:
        return HTMLResponse(page)

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return HTMLResponse(documentation(app.openapi()))

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi() -> Response:
        return answer(to_bytes(app.openapi()))

    app.openapi = with_components(app, service.limits)  # type: ignore[method-assign]

    @app.get(
        "/model",
        summary="The model card",
        description="A page, or Markdown if the header Accept asks for text/markdown.",
        response_class=HTMLResponse,
        responses=_only(401, 404),
    )
    async def model(request: Request, name: Optional[str] = None) -> Response:
        card = service.model(name).card
        if "text/markdown" in request.headers.get("accept", ""):
            return Response(card, media_type="text/markdown; charset=utf-8")
        return HTMLResponse(card_page.replace("{{card}}", markdown.to_html(card)))

    @app.get("/model/fragment", include_in_schema=False)
    async def model_fragment(name: Optional[str] = None) -> Response:
        return HTMLResponse(f'<div class="prose">{markdown.to_html(service.model(name).card)}</div>')


def _only(*statuses: int) -> Dict[Any, Any]:
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


def failed(error: Exception) -> Response:
    logger.error("failure", exc_info=error)
    return problem(Refused(500, "The service failed. Its log says where."))
