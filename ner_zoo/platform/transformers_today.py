"""AllenNLP 2.10.1 on current transformers."""

import functools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from ner_zoo.platform.hub_models import where_to_look


def load_encoders(cached_transformers: ModuleType) -> None:
    """
    AllenNLP passes `add_special_tokens` to `from_pretrained`, which transformers rejects since 4.44 because a method
    has that name. The argument only ever affected `encode`, and AllenNLP passes it there as well.
    """
    original_get, original_get_tokenizer = cached_transformers.get, cached_transformers.get_tokenizer

    @functools.wraps(original_get)
    def get(model_name: str, *arguments: Any, **options: Any) -> Any:
        with only_bars_of_downloads(model_name):
            return original_get(model_name, *arguments, **{**options, **where_to_look(model_name)})

    @functools.wraps(original_get_tokenizer)
    def get_tokenizer(model_name: str, add_special_tokens: bool | None = None, **options: Any) -> Any:
        give_tokenizers_back_their_methods()
        return original_get_tokenizer(model_name, **{**options, **where_to_look(model_name)})

    cached_transformers.get, cached_transformers.get_tokenizer = get, get_tokenizer  # type: ignore[attr-defined]


@contextmanager
def only_bars_of_downloads(model_name: str) -> Iterator[None]:
    """transformers 5 shows a bar for reading the weights of a folder too, which takes a moment, and leaves it there."""
    from transformers.utils import logging

    is_shown = logging.is_progress_bar_enabled()
    if is_shown and os.path.isdir(model_name):
        logging.disable_progress_bar()
    try:
        yield
    finally:
        if is_shown:
            logging.enable_progress_bar()


@functools.cache
def give_tokenizers_back_their_methods() -> None:
    """
    transformers 5.0 removed `encode_plus`, which equals calling the tokenizer, and
    `build_inputs_with_special_tokens`.
    """
    from transformers import PreTrainedTokenizerBase

    def build_inputs_with_special_tokens(self: Any, token_ids_0: list[int]) -> list[int]:
        is_special = self("a", return_special_tokens_mask=True)["special_tokens_mask"]
        start = is_special.index(0)
        end = len(is_special) - is_special[::-1].index(0)
        frame = self("a")["input_ids"]
        return frame[:start] + list(token_ids_0) + frame[end:]

    PreTrainedTokenizerBase.encode_plus = PreTrainedTokenizerBase.__call__
    PreTrainedTokenizerBase.build_inputs_with_special_tokens = build_inputs_with_special_tokens
