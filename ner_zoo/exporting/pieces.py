"""
Exports a pretrained encoder: its tokenizer, the graph from word pieces to layers, and how these become word vectors.
See `ner_zoo.light.pieces`.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TokenIndexer
from allennlp.data.token_indexers import PretrainedTransformerMismatchedIndexer
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import PretrainedTransformerMismatchedEmbedder
from numpy import ndarray
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.data.word_pieces import WordPieces
from ner_zoo.exporting.graphs import Example, PartOfModel, graph_of
from ner_zoo.light.export_file import Export
from ner_zoo.light.pieces import piece_splitter
from ner_zoo.modules.frozen_encoder import FrozenEncoder
from ner_zoo.predictors.forward import most_word_pieces

# Words on which tokenizers may disagree: cases, accents, scripts, symbols, words without pieces, and long ones.
HARD_WORDS = [
    "Ada",
    "naïve",
    "İstanbul",
    "東京",
    "don't",
    "#a1",
    "...",
    " ",
    "\u200b",
    "x" * 150,
    "[SEP]",
    "ﬁ",
    "👩‍🔬",
    "`s",
]


class PieceGraph(PartOfModel):
    """The encoder over windows of pieces."""

    def forward(self, pieces: LongTensor, mask: BoolTensor) -> Tensor:
        output = self.model.transformer_model(input_ids=pieces, attention_mask=mask.float())
        if self.model._scalar_mix is None:
            return output.last_hidden_state
        return self.model._scalar_mix(output.hidden_states[1:])  # the first are the input embeddings


def encoder_name(indexers: dict[str, TokenIndexer]) -> str:
    """The name of the single input that is a pretrained encoder, or nothing."""
    kinds = (WordPieces, PretrainedTransformerMismatchedIndexer)
    names = [name for name, indexer in indexers.items() if type(indexer) in kinds]
    if len(names) > 1:
        raise ConfigurationError(f"Only one pretrained encoder can be exported, but the model has {', '.join(names)}.")
    return names[0] if names else ""


def column_of(embedder: Any, name: str) -> int:
    """The column of the encoder's vectors among those of the other inputs, which are sorted by name."""
    if type(embedder) is not BasicTextFieldEmbedder:
        raise ConfigurationError(f"An encoder in a {type(embedder).__name__} cannot be exported. Use `basic`.")
    before = [key for key in embedder._ordered_embedder_keys if key < name]
    return sum(getattr(embedder, f"token_embedder_{key}").get_output_dim() for key in before)


def without_encoder(embedder: Any, name: str) -> BasicTextFieldEmbedder:
    """The embedder of all other inputs."""
    names = [key for key in embedder._ordered_embedder_keys if key != name]
    return BasicTextFieldEmbedder({key: getattr(embedder, f"token_embedder_{key}") for key in names})


def with_encoder(export: Export, model: Any, name: str, indexer: Any) -> Export:
    """The export with the pretrained encoder of the input `name`, which this indexer splits into pieces."""
    embedder = getattr(model.embedder, f"token_embedder_{name}")
    encoder, mix = _encoder(embedder)
    cutter, tokenizer = indexer._allennlp_tokenizer, indexer._tokenizer
    start, end = cutter.single_sequence_start_tokens, cutter.single_sequence_end_tokens
    if any(token.type_id for token in (*start, *end)) or cutter.single_sequence_token_type_id:
        raise ConfigurationError("An encoder with token type ids other than 0 cannot be exported.")
    most = most_word_pieces(model)
    settings = {
        "start": [token.text_id for token in start],
        "end": [token.text_id for token in end],
        "padding": tokenizer.pad_token_id or 0,
        "max_length": encoder._max_length,
        "most_pieces": None if most == float("inf") else int(most),
        "is_half": isinstance(embedder, FrozenEncoder),
        "dim": embedder.get_output_dim(),
        "column": column_of(model.embedder, name),
    }
    return replace(
        export,
        settings={**export.settings, "pieces": settings},
        arrays={**export.arrays, "pieces.mix": mix},
        graphs={**export.graphs, "pieces": _graph(encoder)},
        tokenizer=_tokenizer(tokenizer),
    )


def _encoder(embedder: Any) -> tuple[Any, ndarray]:
    """AllenNLP's embedder of pieces, and the weights of its layers."""
    if type(embedder) is FrozenEncoder:
        is_mixed = len(embedder.layers) > 1
        weights = embedder.gamma * embedder.mix.softmax(0) if is_mixed else torch.ones(1)
        return embedder.encoder, weights.detach().numpy()
    if type(embedder) is PretrainedTransformerMismatchedEmbedder and embedder.sub_token_mode == "avg":
        return embedder._matched_embedder, np.ones(1, dtype=np.float32)
    raise ConfigurationError(
        f"The encoder {type(embedder).__name__} cannot be exported. Supported: frozen_encoder, and "
        f"pretrained_transformer_mismatched with sub_token_mode avg."
    )


def _tokenizer(tokenizer: Any) -> str:
    """The tokenizer as written by the package `tokenizers`; checks that it splits words like the model's own."""
    if not tokenizer.is_fast:
        raise ConfigurationError(
            f"The encoder's tokenizer is a {type(tokenizer).__name__}, which is written in Python and cannot be "
            f"exported. Use a fast tokenizer of the package `tokenizers`."
        )
    content = tokenizer.backend_tokenizer.to_str()
    pieces = piece_splitter(content)
    differing = [word for word in HARD_WORDS if pieces(word) != tokenizer.encode(word, add_special_tokens=False)]
    if differing:
        raise ConfigurationError(
            f"The package tokenizers splits {differing[0]!r} differently from transformers, so "
            f"the encoder cannot be exported."
        )
    return content


def _graph(encoder: Any) -> bytes:
    axes = dict.fromkeys(("pieces", "mask", "states"), ("windows", "pieces"))
    with torch.random.fork_rng():
        examples = [_example(encoder.config.vocab_size, *size) for size in SIZES]
    return graph_of("pretrained encoder", PieceGraph(encoder), examples, ["states"], axes)


SIZES = ((2, 7), (1, 3), (4, 19))


def _example(vocabulary: int, windows: int, length: int) -> Example:
    lengths = torch.tensor([[max(2, length - 3 * row)] for row in range(windows)])
    mask = torch.arange(length) < lengths
    return {"pieces": torch.randint(0, vocabulary, mask.shape), "mask": mask}
