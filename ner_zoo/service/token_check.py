"""
The bearer token. It is checked behind CORS, so that pages of other origins can see that the token was refused.
"""

import hmac
import re
from typing import Any

from starlette.types import Receive, Scope, Send

from ner_zoo.service.limits import Refused
from ner_zoo.service.middleware import header
from ner_zoo.service.responses import problem

# The page, its assets and the documentation contain nothing about the model or any text.
OPEN = re.compile(r"/(|docs|openapi\.json|healthz|readyz|static/[\w.-]+)\Z")


class TokenCheck:
    """
    application : the protected application.
    token : token that clients must send as `Authorization: Bearer`, or "" for none.
    """

    def __init__(self, application: Any, token: str) -> None:
        self.application = application
        self.token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._may_enter(scope):
            await self.application(scope, receive, send)
            return
        refusal = Refused(401, "This service requires a token. Send the header Authorization: Bearer TOKEN.")
        await problem(refusal)(scope, receive, send)

    def _may_enter(self, scope: Scope) -> bool:
        if not self.token or OPEN.match(scope["path"]):
            return True
        scheme, _, given = header(scope, b"authorization").partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), self.token)
