"""
Responses: JSON that can contain any text, and errors.
"""

from http import HTTPStatus

from starlette.responses import Response

from ner_zoo.predictors.document_text import COMPACT
from ner_zoo.service.limits import Refused
from ner_zoo.service.monitoring import logger

# Converts any value to JSON.
to_bytes = COMPACT.value


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
