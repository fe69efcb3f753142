"""
Machine reading: an encoder reads each sentence once per type, after a question about that type.

    h^t = the vectors of the sentence in [CLS] question_t [SEP] sentence [SEP]
    score_t(i, j) = w_1 · h^t_i + w_2 · h^t_j + v · gelu(W_1 h^t_i + W_2 h^t_j + b)          score_O(i, j) = 0

After Li et al., 2020 (BERT-MRC). All types share their weights and differ only in their questions. The paper decides
separately whether a token is a start, whether it is an end, and whether the two match. Here the three are the terms of
one score, so that every loss and every decoder of spans can be used.
"""

from collections.abc import Sequence

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import PretrainedTransformerTokenizer
from allennlp.modules.token_embedders import PretrainedTransformerEmbedder, TokenEmbedder
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor
from torch.nn.functional import gelu
from transformers.modeling_outputs import BaseModelOutput

from ner_zoo.data.span_labels import split_label
from ner_zoo.data.word_pieces import most_pieces
from ner_zoo.labels.labels import Labels
from ner_zoo.modules.dropout import Dropout
from ner_zoo.modules.endpoints import mean_at
from ner_zoo.modules.frozen_encoder import word_means
from ner_zoo.modules.head import Head
from ner_zoo.modules.span_representation import SpanRepresentation
from ner_zoo.structures import Independent


@TokenEmbedder.register("question_encoder")
class QuestionEncoder(TokenEmbedder):
    """
    model_name : name or folder of a Hugging Face encoder. Use it with the indexer `word_pieces`.
    questions : a question, or a description, for each type.
    max_length : length of a window of the sentence in pieces, as in the indexer. The question comes on top of it.
    train_parameters : whether the encoder is fine-tuned.
    """

    def __init__(
        self, model_name: str, questions: dict[str, str], max_length: int = 384, train_parameters: bool = True
    ) -> None:
        super().__init__()
        if not questions:
            raise ConfigurationError("There are no questions. Write one for each entity type of the corpus.")
        self.encoder = PretrainedTransformerEmbedder(
            model_name, max_length=max_length, train_parameters=train_parameters
        )
        tokenizer = PretrainedTransformerTokenizer(model_name)
        before = [_before_sentence(tokenizer, questions[type]) for type in sorted(questions)]
        skipped = len(tokenizer.single_sequence_start_tokens)
        longest = max(len(ids) for ids, _ in before) - skipped
        if longest + max_length > most_pieces(model_name):
            raise ConfigurationError(
                f"max_length is {max_length} and the longest question has {longest} pieces, but the encoder "
                f"{model_name!r} has positions for only {most_pieces(model_name)}. Shorten the question, or lower "
                f"max_length of the indexer and the embedder."
            )
        has_types = self.encoder._number_of_token_type_embeddings() > 1
        second = tokenizer.sequence_pair_second_token_type_id if has_types else None
        self.encoder.transformer_model = QuestionReader(self.encoder.transformer_model, before, skipped, second)
        self.count = len(questions)

    @overrides
    def get_output_dim(self) -> int:
        return self.count * self.encoder.get_output_dim()

    @overrides(check_signature=False)
    def forward(  # type: ignore[override]
        self,
        token_ids: LongTensor,
        mask: BoolTensor,
        offsets: LongTensor,
        wordpiece_mask: BoolTensor,
        type_ids: LongTensor | None = None,
        segment_concat_mask: BoolTensor | None = None,
    ) -> Tensor:
        """`(batch, words, types x dim)`"""
        return word_means(self.encoder(token_ids, wordpiece_mask, None, segment_concat_mask), offsets, mask)


class QuestionReader(torch.nn.Module):
    """
    An encoder that reads its input after each of several questions, and returns the vectors of the input side by side.

    before : for each question, the ids and the token types of everything before the sentence.
    skipped : how many start tokens of the input the question replaces.
    second : the token type of the sentence; `None` if the encoder has no token types.
    """

    def __init__(
        self, encoder: torch.nn.Module, before: Sequence[tuple[list[int], list[int]]], skipped: int, second: int | None
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.before = before
        self.skipped = skipped
        self.second = second

    def forward(self, input_ids: LongTensor, attention_mask: Tensor) -> BaseModelOutput:
        states = [self._read(input_ids, attention_mask, *question) for question in self.before]
        return BaseModelOutput(torch.cat(states, dim=-1))

    def _read(self, input_ids: LongTensor, attention_mask: Tensor, ids: list[int], types: list[int]) -> Tensor:
        """The vectors of the input after one question."""
        rest, rows = input_ids[:, self.skipped :], len(input_ids)
        question = input_ids.new_tensor(ids).expand(rows, -1)
        inputs = {
            "input_ids": torch.cat([question, rest], dim=1),
            "attention_mask": torch.cat(
                [attention_mask.new_ones(question.shape), attention_mask[:, self.skipped :]], 1
            ),
        }
        if self.second is not None:
            first = input_ids.new_tensor(types).expand(rows, -1)
            inputs["token_type_ids"] = torch.cat([first, torch.full_like(rest, self.second)], dim=1)
        states = self.encoder(**inputs).last_hidden_state
        return torch.cat([states[:, : self.skipped], states[:, len(ids) :]], dim=1)


def _before_sentence(tokenizer: PretrainedTransformerTokenizer, question: str) -> tuple[list[int], list[int]]:
    """The ids and the token types of a question with the special tokens around it."""
    words = tokenizer.tokenizer.encode(question, add_special_tokens=False)
    start, middle = tokenizer.sequence_pair_start_tokens, tokenizer.sequence_pair_mid_tokens
    ids = [*(token.text_id for token in start), *words, *(token.text_id for token in middle)]
    first = tokenizer.sequence_pair_first_token_type_id
    return ids, [*(token.type_id for token in start), *[first] * len(words), *(token.type_id for token in middle)]


@SpanRepresentation.register("question_spans")
class QuestionSpans(SpanRepresentation):
    """
    The score of each type for each span, from the vectors of `question_encoder`.

    types : the number of questions.
    dim : size of the layer that matches the ends of a span.
    dropout : dropout after it.
    """

    def __init__(self, input_dim: int, types: int, dim: int = 150, dropout: float = 0.2) -> None:
        super().__init__()
        if input_dim % types:
            raise ConfigurationError(
                f"The vectors have {input_dim} dimensions, which cannot be divided by {types} types. Use the embedder "
                f"`question_encoder` alone, with one question per type."
            )
        self.types = types
        self.ends = torch.nn.Linear(input_dim // types, 2 * (dim + 1))
        self.match = torch.nn.Linear(dim, 1)
        self.dropout = Dropout(dropout)

    @overrides
    def get_output_dim(self) -> int:
        return self.types

    @overrides
    def tokens(self, encoded: Tensor) -> Tensor:
        """For every type, what a token contributes as the first and as the last of a span."""
        first, last = self.ends(encoded.unflatten(2, (self.types, -1))).chunk(2, dim=3)
        return torch.cat([first.flatten(2), last.flatten(2)], dim=2)

    @overrides
    def forward(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        as_first, as_last = tokens.chunk(2, dim=2)
        both = mean_at(as_first, spans[..., 0]) + mean_at(as_last, spans[..., 1] - 1)
        both = both.unflatten(2, (self.types, -1))  # (batch, spans, types, dim + 1)
        return self.match(self.dropout(gelu(both[..., :-1]))).squeeze(3) + both[..., -1]


@Head.register("question_scores")
class QuestionScores(Head):
    """
    Independent labels from the scores of the types: a label has the sum of the scores of its types, and `O` has 0.

    types : the types in the order of their scores.
    """

    def __init__(self, input_dim: int, labels: Labels, types: list[str]) -> None:
        super().__init__()
        if input_dim != len(types):
            raise ConfigurationError(
                f"There are {len(types)} types, but {input_dim} scores per span. Use the representation "
                f"`question_spans`, without a feedforward layer."
            )
        asked = {type for label in labels.names for type in split_label(label)}
        if asked != set(types):
            raise ConfigurationError(
                f"The questions are about {', '.join(sorted(types))}, but the types of the training data are "
                f"{', '.join(sorted(asked))}. Write one question for each type."
            )
        self.background = labels.background
        holds = [[float(type in split_label(label)) for label in labels.names] for type in types]
        self.register_buffer("holds", torch.tensor(holds), persistent=False)

    @overrides
    def forward(self, vectors: Tensor, mask: BoolTensor) -> Independent:
        return Independent(vectors @ self.holds.to(vectors.dtype), mask, self.background)
