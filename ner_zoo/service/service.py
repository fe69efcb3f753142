"""
The state shared by all requests: models, access and limits.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from ner_zoo.service.bodies import RequestBodies
from ner_zoo.service.limits import Limits, Refused
from ner_zoo.service.monitoring import Metrics
from ner_zoo.service.served_model import ServedModel
from ner_zoo.service.work import Work


@dataclass
class Service:
    """
    models : by name, the default first.
    limits : see `Limits`.
    token : token that clients must send, or "".
    origins : allowed CORS origins.
    hosts : allowed host names; empty for any.
    is_leaving : whether the process is shutting down.
    bodies : request bodies being received.
    connections : open connections, if the server keeps account of them.
    """

    models: dict[str, ServedModel]
    limits: Limits = field(default_factory=Limits)
    token: str = ""
    origins: Sequence[str] = ()
    hosts: Sequence[str] = ()
    is_leaving: bool = False
    metrics: Metrics = field(default_factory=Metrics)
    bodies: RequestBodies = field(init=False)
    connections: Collection[Any] | None = None

    def __post_init__(self) -> None:
        self.bodies = RequestBodies(self.limits)

    def model(self, name: str | None) -> ServedModel:
        if name is None:
            return next(iter(self.models.values()))
        if name not in self.models:
            raise Refused(404, f"There is no model of that name. Available: {', '.join(self.models)}.")
        return self.models[name]

    def number_of_connections(self) -> float:
        return inf if self.connections is None else len(self.connections)

    async def done(self, work: Work, model: ServedModel) -> Any:
        """The result of the work, after its turns in the queue of the model."""
        if model.batcher is None:
            raise Refused(503, "The service is starting. Retry in a moment.", retry_after=1)
        return await model.batcher.submit(work)

    @property
    def is_ready(self) -> bool:
        return not self.is_leaving and all(
            model.batcher is not None and model.batcher.waiting < self.limits.max_queue
            for model in self.models.values()
        )
