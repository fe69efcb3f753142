"""
A pretrained encoder for benchmarks: the folder named by NER_ZOO_BENCH_ENCODER, or else one of the size of DistilBERT (6
layers of 768) with random weights, which takes the same time. Its pieces are the words of the corpus and single
characters.
"""

import json
import os
import string
from collections import Counter
from functools import cache
from typing import Any

from allennlp.common import Params
from allennlp.data import DatasetReader, Instance, Vocabulary
from allennlp.models import Model

from benchmarks.tagger_pair import corpus
from benchmarks.temporary import temporary_folder

VARIABLE = "NER_ZOO_BENCH_ENCODER"
MOST_WORDS = 20_000


def reader(encoder: str) -> DatasetReader:
    """The word pieces of the corpus of `tagger_pair`."""
    name, _, _ = corpus()
    indexers = {"encoder": {"type": "word_pieces", "model_name": encoder}}
    view = {"type": "tags", "scheme": "BIOUL"}
    return DatasetReader.from_params(Params({"type": name, "view": view, "token_indexers": indexers}))


def tagger(embedder: dict[str, Any], encoder: str | dict[str, Any], vocab: Vocabulary) -> Model:
    """A CRF tagger on an encoder."""
    config = {
        "type": "tagger",
        "embedder": {"token_embedders": {"encoder": embedder}},
        "encoder": encoder,
        "head": "crf",
        "loss": "nll",
    }
    return Model.from_params(Params(config), vocab=vocab)


@cache
def encoder_folder() -> str:
    given = os.environ.get(VARIABLE)
    if given:
        return given
    from transformers import DistilBertConfig, DistilBertModel

    folder = temporary_folder()
    counts = Counter(word for sentence in words() for word in sentence if word.isalnum())
    characters = string.ascii_letters + string.digits
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *string.punctuation, *characters]
    pieces += [f"##{character}" for character in characters]
    pieces += [word for word, _ in counts.most_common(MOST_WORDS) if len(word) > 1]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    tokenizer = {"tokenizer_class": "BertTokenizer", "do_lower_case": False, "model_max_length": 512}
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer))
    DistilBertModel(DistilBertConfig(vocab_size=len(pieces))).save_pretrained(folder)
    return str(folder)


def words() -> list[list[str]]:
    """The sentences of the development data."""
    return [[str(token) for token in instance["text"].tokens] for instance in plain_instances()]  # type: ignore


@cache
def plain_instances() -> list[Instance]:
    name, _, dev = corpus()
    return list(DatasetReader.from_params(Params({"type": name, "view": "tags"})).read(str(dev)))
