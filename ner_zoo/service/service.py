"""
What is served, to whom and within which limits: the state that all requests share.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ner_zoo.service.bodies import RequestBodies
from ner_zoo.service.limits import Limits, Refused
from ner_zoo.service.monitoring import Metrics
from ner_zoo.service.served_model import ServedModel
from ner_zoo.service.work import Work


@dataclass
class Service:
    """
    models : by name, the default one first.
    limits : see `Limits`.
    token : that clients must send, or "".
    origins : pages of other origins that may use the service from a browser.
    hosts : names by which the service may be addressed; none for any.
    is_leaving : set when the process has been asked to stop.
    bodies : that are being received.
    """

    models: dict[str, ServedModel]
    limits: Limits = field(default_factory=Limits)
    token: str = ""
    origins: Sequence[str] = ()
    hosts: Sequence[str] = ()
    is_leaving: bool = False
    metrics: Metrics = field(default_factory=Metrics)
    bodies: RequestBodies = field(init=False)

    def __post_init__(self) -> None:
        self.bodies = RequestBodies(self.limits)

    def model(self, name: str | None) -> ServedModel:
        if name is None:
            return next(iter(self.models.values()))
        if name not in self.models:
            raise Refused(404, f"There is no model of that name. There are: {', '.join(self.models)}.")
        return self.models[name]

    async def done(self, work: Work, model: ServedModel) -> Any:
        """The result of the work, when it has had its turns in the queue of the model."""
        if model.batcher is None:
            raise Refused(503, "The service is starting. Come back in a moment.", retry_after=1)
        return await model.batcher.submit(work)

    @property
    def is_ready(self) -> bool:
        return not self.is_leaving and all(
            model.batcher is not None and model.batcher.waiting < self.limits.max_queue
            for model in self.models.values()
        )
