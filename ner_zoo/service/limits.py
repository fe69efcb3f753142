"""
How much the service takes on at once. Whatever is above a limit is refused at once, with a status that says what to do.

    413 smaller, 422 right, 429 or 503 later (with Retry-After), 504 took too long
"""

from dataclasses import dataclass

from allennlp.common.checks import ConfigurationError


@dataclass(frozen=True)
class Limits:
    """
    max_body_bytes : of one request.
    max_text_characters : of one text, or of the tokens of one input together.
    max_inputs : in one request.
    max_queue : inputs that wait for the model; more get 429.
    max_batch : inputs that go to the model together.
    max_wait : seconds that the first input of a batch waits for others at most, as long as others come.
    timeout : seconds until a request gets its answer, or 504.
    drain : seconds for which idle connections stay open after SIGTERM.
    """

    max_body_bytes: int = 1_000_000
    max_text_characters: int = 100_000
    max_inputs: int = 64
    max_queue: int = 256
    max_batch: int = 64
    max_wait: float = 0.02
    timeout: float = 30.0
    drain: float = 1.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            least = 0 if name in ("max_wait", "drain") else 1e-9
            if value < least:
                raise ConfigurationError(f"{name} is {value}. Give a number above 0.")
        if self.max_queue < self.max_inputs:
            raise ConfigurationError(
                f"max_queue is {self.max_queue}, so that a request with max_inputs, {self.max_inputs}, would never be "
                "taken. Raise max_queue or lower max_inputs."
            )


class Refused(Exception):
    """A request that gets no prediction: its status, what to tell the client, and after how many seconds to retry."""

    def __init__(self, status: int, message: str, retry_after: int = 0) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.retry_after = retry_after
