"""
The fast path from a request to a prediction.

    body -> checked -> queue of its model -> thread with the model -> JSON
"""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import Response

from ner_zoo.service import schema
from ner_zoo.service.limits import Refused
from ner_zoo.service.responses import answer, failed, problem
from ner_zoo.service.service import Service


class FastPredict:
    """
    Answers `POST /predict` before FastAPI sees it. FastAPI still documents it and handles everything else: for a short
    text, its layers cost as much as the prediction.
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
    """The response to a prediction request."""
    wishes, inputs = schema.parse_request(await service.bodies.read(request), service.limits)
    model = service.model(wishes.model)
    note = request.scope["note"]
    note.update(model=model.name, inputs=len(inputs))
    outputs = await service.done(model.reading(inputs, wishes.options(), service.limits), model)
    if isinstance(wishes, schema.BatchRequest):
        return answer(b'{"outputs":[' + b",".join(output for output, _ in outputs) + b"]}")
    content, is_error = outputs[0]
    return answer(content, 422 if is_error else 200)
