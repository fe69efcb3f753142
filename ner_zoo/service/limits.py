"""
How much the service takes on at once. Whatever is above a limit is refused at once, with a status that says what to do.

    413 smaller, 422 right, 408 faster, 429 or 503 later (with Retry-After), 504 took too long
"""

from dataclasses import dataclass

from ner_zoo.platform.configuration_error import ConfigurationError

# These may be 0.
MAY_BE_ZERO = ("max_wait", "drain")


@dataclass(frozen=True)
class Limits:
    """
    max_body_bytes : of one request.
    max_text_characters : of one text, or of the tokens of one input together.
    max_request_characters : of all inputs of one request together.
    max_request_tokens : of all inputs of one request together; counted again for each tagging asked for by `top_k`.
    max_output_bytes : of one answer.
    max_inputs : in one request.
    max_queue : inputs that wait for the model; more get 429.
    max_queue_characters : of the inputs that wait or are being read; more get 429.
    max_batch : inputs that go to the model together.
    turn_tokens : tokens of one request that go to the model before others have their turn.
    max_wait : seconds that the first input of a batch waits for others at most, as long as others come.
    max_connections : open at once; more get 503.
    header_timeout : seconds that a client has to send the headers of a request.
    body_timeout : seconds that a client has to send the body.
    send_timeout : seconds that a client has to take its answer.
    timeout : seconds until a request gets its answer, or 504.
    drain : seconds for which idle connections and half-sent requests stay open after SIGTERM.
    """

    max_body_bytes: int = 1_000_000
    max_text_characters: int = 100_000
    max_request_characters: int = 250_000
    max_request_tokens: int = 50_000
    max_output_bytes: int = 16_000_000
    max_inputs: int = 64
    max_queue: int = 256
    max_queue_characters: int = 2_000_000
    max_batch: int = 64
    turn_tokens: int = 512
    max_wait: float = 0.02
    max_connections: int = 1000
    header_timeout: float = 10.0
    body_timeout: float = 20.0
    send_timeout: float = 30.0
    timeout: float = 30.0
    drain: float = 1.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value < (0 if name in MAY_BE_ZERO else 1e-9):
                raise ConfigurationError(f"{name} is {value}. Give a number above 0.")
        for small, large in (
            ("max_inputs", "max_queue"),
            ("max_text_characters", "max_request_characters"),
            ("max_request_characters", "max_queue_characters"),
        ):
            if getattr(self, large) < getattr(self, small):
                raise ConfigurationError(
                    f"{large} is {getattr(self, large)}, so a request with {small}, {getattr(self, small)}, would "
                    f"never be accepted. Raise {large} or lower {small}."
                )

    @property
    def turn_characters(self) -> int:
        """A text of at most this many characters is expected to fit into a turn."""
        return 4 * self.turn_tokens


class Refused(Exception):
    """A request that gets no prediction: its status, what to tell the client, and after how many seconds to retry."""

    def __init__(self, status: int, message: str, retry_after: int = 0) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.retry_after = retry_after
