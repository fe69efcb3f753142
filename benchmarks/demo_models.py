"""
The two taggers of `tagger_pair`, applied to text: trained briefly on the bundled corpus, ours as an archive and
AllenNLP's with its own predictor.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.data.tokenizers import WhitespaceTokenizer
from allennlp.models.archival import load_archive
from allennlp.predictors import Predictor
from allennlp.predictors.sentence_tagger import SentenceTaggerPredictor

from benchmarks.tagger_pair import ROOT, our_config, their_config
from benchmarks.temporary import temporary_folder
from ner_zoo.annotation import Entity
from ner_zoo.data.tag_schemes import tags_from_entities

DEMO = ROOT / "fixtures" / "demo"
INDEXERS: dict[str, Any] = {
    "words": {"type": "single_id", "namespace": "words", "lowercase_tokens": True},
    "characters": {"type": "characters", "min_padding_length": 4},
}
TRAINING = {"data_loader": {"batch_size": 16, "shuffle": True}, "trainer": {"num_epochs": 4, "optimizer": "adam"}}


class StockPredictor(SentenceTaggerPredictor):
    """AllenNLP's predictor with a white space tokenizer: its default one downloads a model."""

    def __init__(self, model: Any, dataset_reader: Any) -> None:
        Predictor.__init__(self, model, dataset_reader)
        self._tokenizer = WhitespaceTokenizer()


@cache
def our_archive() -> str:
    return _trained(
        {
            "dataset_reader": {"type": "span_json", "view": "tags", "token_indexers": INDEXERS},
            "train_data_path": str(DEMO / "train.jsonl"),
            "model": our_config(),
            **TRAINING,
        }
    )


@cache
def stock_predictor() -> StockPredictor:
    columns = temporary_folder() / "train"
    columns.write_text(_columns(DEMO / "train.jsonl"), encoding="utf-8")
    archive = load_archive(
        _trained(
            {
                "dataset_reader": {"type": "conll2003", "coding_scheme": "BIOUL", "token_indexers": INDEXERS},
                "train_data_path": str(columns),
                "model": their_config(),
                **TRAINING,
            }
        )
    )
    archive.model.eval()
    return StockPredictor(archive.model, archive.dataset_reader)


def texts() -> list[str]:
    """The sentences of the bundled test file, tokens separated by spaces."""
    lines = (DEMO / "test.jsonl").read_text(encoding="utf-8").splitlines()
    return [" ".join(json.loads(line)["tokens"]) for line in lines]


def _trained(config: dict[str, Any]) -> str:
    folder = temporary_folder()
    train_model(Params(json.loads(json.dumps(config))), str(folder), force=True)
    return str(folder / "model.tar.gz")


def _columns(path: Path) -> str:
    """The corpus in CoNLL-2003 columns, with IOB1 tags."""
    blocks = []
    for line in path.read_text(encoding="utf-8").splitlines():
        sentence = json.loads(line)
        entities = [Entity.of(one["type"], one["start"], one["end"]) for one in sentence["entities"]]
        tags = tags_from_entities(entities, len(sentence["tokens"]), "IOB1")
        blocks.append("\n".join(f"{token} X O {tag}" for token, tag in zip(sentence["tokens"], tags)))
    return "\n\n".join(blocks) + "\n"
