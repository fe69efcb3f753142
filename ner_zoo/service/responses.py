"""
Responses: JSON that can contain any text, and errors.
"""

import json
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from ner_zoo.service.limits import Refused
from ner_zoo.service.monitoring import logger


def to_bytes(content: Any) -> bytes:
    """JSON in UTF-8; unpaired surrogates, which UTF-8 cannot encode, stay escaped."""
    try:
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(content, separators=(",", ":")).encode("ascii")


def answer(content: bytes, status: int = 200) -> Response:
    return Response(content, status, media_type="application/json")


def problem(refused: Refused) -> Response:
    """An error as JSON, with a Retry-After header if applicable."""
    response = answer(to_bytes({"error": refused.message}), refused.status)
    if refused.retry_after:
        response.headers["Retry-After"] = str(refused.retry_after)
    if refused.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def failed(error: Exception) -> Response:
    logger.error("failure", exc_info=error)
    return problem(Refused(500, "Internal error. See the log of the service."))


def raw_answer(refused: Refused) -> bytes:
    """Like `problem`, for a connection whose request was not read; to be closed afterwards."""
    response = problem(refused)
    response.headers["Connection"] = "close"
    lines = [f"HTTP/1.1 {refused.status} {HTTPStatus(refused.status).phrase}".encode()]
    lines += [name + b": " + value for name, value in response.raw_headers]
    return b"\r\n".join([*lines, b"", bytes(response.body)])
