"""
Limits of the service. Anything above a limit is refused immediately, with a status that says what to do.

    413 send less, 422 fix it, 408 send faster, 429 or 503 retry later (with Retry-After), 504 took too long
"""

from dataclasses import dataclass

from ner_zoo.platform.configuration_error import ConfigurationError

# These may be 0.
MAY_BE_ZERO = ("max_wait", "drain")


@dataclass(frozen=True)
class Limits:
    """
    max_body_bytes : maximum size of a request body.
    max_text_characters : maximum length of a text, or of the tokens of an input together.
    max_request_characters : maximum number of characters in a request.
    max_request_tokens : maximum number of tokens in a request, multiplied by top_k if given.
    max_output_bytes : maximum size of a response.
    max_inputs : maximum number of inputs in a request.
    max_queue : maximum number of queued inputs; further ones get status 429.
    max_queue_characters : maximum number of characters queued or being processed; further ones get status 429.
    max_batch : maximum number of inputs in a batch.
    turn_tokens : tokens of a long request to process before other requests get a turn.
    max_wait : maximum seconds that the first input of a batch waits for others, while others keep arriving.
    max_connections : maximum number of open connections; further ones get status 503.
    header_timeout : seconds to receive the headers of a request.
    body_timeout : seconds to receive the body of a request.
    send_timeout : seconds to send a response.
    timeout : seconds to answer a request before it gets status 504.
    drain : seconds that idle connections and partial requests stay open after SIGTERM.
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
                raise ConfigurationError(f"{name} is {value}. Set it to a number above 0.")
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
    """A refused request: its status, the message for the client, and when to retry in seconds."""

    def __init__(self, status: int, message: str, retry_after: int = 0) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.retry_after = retry_after
