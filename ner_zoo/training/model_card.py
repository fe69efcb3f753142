"""
Model card: documents how a model was trained. Written at the end of every training and stored in the archive.

    MODEL_CARD.md: licence, data and its counts, scores by type, seeds, versions, the whole config

This is one of the default callbacks and does not have to be configured. Configure it to add what only a person knows:

    "callbacks": [{"type": "model_card", "licence": "CC-BY-4.0", "description": "Names in German news."}]
"""

import json
import logging
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from allennlp.common import Params
from allennlp.data import DatasetReader
from allennlp.training import GradientDescentTrainer, TrainerCallback
from overrides import overrides

from ner_zoo.data.corpora.statistics import Statistics
from ner_zoo.data.readers import CorpusReader
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import sources
from ner_zoo.platform.archive_opening import MODEL_CARD
from ner_zoo.platform.extras import installed_versions
from ner_zoo.platform.run_callback import RunCallback
from ner_zoo.rendering.tables import markdown_table

logger = logging.getLogger(__name__)

NOT_STATED = "not stated (fill this in before publishing the model, and check the licences of the data)"
SEEDS = ("random_seed", "numpy_seed", "pytorch_seed")
PACKAGES = ("ner_zoo", "allennlp", "torch", "numpy", "transformers")


@TrainerCallback.register("model_card")
class ModelCard(RunCallback):
    """
    serialization_dir : folder of the run; without one, nothing is written.
    licence : licence of the model.
    description : what the model is for.
    """

    def __init__(self, serialization_dir: str, licence: str = NOT_STATED, description: str = "") -> None:
        super().__init__(serialization_dir)
        self.licence = licence
        self.description = description

    @overrides
    def finish(self, trainer: GradientDescentTrainer, metrics: dict[str, Any] | None) -> None:
        config_file = Path(self.serialization_dir or "") / "config.json"
        if not self.is_primary or metrics is None or self.serialization_dir is None or not config_file.is_file():
            return
        config = json.loads(config_file.read_text(encoding="utf-8"))
        splits = statistics_of(config)
        if splits is not None:
            parameters = sum(parameter.numel() for parameter in trainer.model.parameters())
            card = written(self, config, splits, metrics, parameters)
            (config_file.parent / MODEL_CARD).write_text(card, encoding="utf-8")
            logger.info("wrote %s", config_file.parent / MODEL_CARD)


def statistics_of(config: Mapping[str, Any]) -> dict[str, Statistics] | None:
    """Statistics of the training and validation files, by split; None if a reader is not one of ner_zoo."""
    readers = {"train": config["dataset_reader"]}
    readers["validation"] = config.get("validation_dataset_reader") or readers["train"]
    splits = {}
    for split, params in readers.items():
        reader = DatasetReader.from_params(Params(json.loads(json.dumps(params))))
        path = config.get(f"{split}_data_path")
        if not isinstance(reader, CorpusReader):
            return None
        if isinstance(path, str):
            splits[split] = Statistics()
            for source in sources(reader.corpus, path):
                for sentence in source.sentences(Repairs()):
                    splits[split].add(sentence)
    return splits


def written(
    card: ModelCard,
    config: Mapping[str, Any],
    splits: Mapping[str, Statistics],
    metrics: Mapping[str, Any],
    parameters: int,
) -> str:
    """The whole card in Markdown."""
    seeds = ", ".join(f"{name} {config[name]}" for name in SEEDS if name in config) or "AllenNLP's defaults"
    model = config["model"]
    lines = [
        f"# Model card: {Path(card.serialization_dir).resolve().name}",
        "",
        *([card.description, ""] if card.description else []),
        f"- Licence: {card.licence}",
        f"- Model: `{model['type']}` with head `{_name(model.get('head'))}` and loss `{_name(model.get('loss'))}`, "
        f"{parameters:,} parameters",
        f"- Trained for {metrics.get('epoch', 0) + 1} epochs in {metrics.get('training_duration', 'unknown time')}; "
        f"best epoch {metrics.get('best_epoch', 0) + 1}",
        f"- Seeds: {seeds}",
        "",
        *_data(config, splits),
        *_scores(metrics),
        *_versions(),
        "## Config",
        "",
        "```json",
        json.dumps(config, indent=2, ensure_ascii=False),
        "```",
    ]
    return "\n".join(lines) + "\n"


def _data(config: Mapping[str, Any], splits: Mapping[str, Statistics]) -> list[str]:
    readers = [config[key]["type"] for key in ("dataset_reader", "validation_dataset_reader") if config.get(key)]
    shown = ", for validation data ".join(f"`{name}`" for name in dict.fromkeys(readers))
    weak = " Weak labels are not counted." if config["dataset_reader"].get("weak") else ""
    lines = ["## Data", "", f"Reader: {shown}.{weak}", ""]
    counts = ("sentences", "tokens", "entities", "relations")
    rows = [
        [split, f"`{config[f'{split}_data_path']}`", *(f"{getattr(some, name):,}" for name in counts)]
        for split, some in splits.items()
    ]
    lines += _table(["split", "path", *counts], rows)
    for kind in ("entity_types", "relation_types"):
        types = sorted({type for some in splits.values() for type in getattr(some, kind)})
        rows = [[type, *(f"{getattr(some, kind)[type]:,}" for some in splits.values())] for type in types]
        if rows:
            lines += _table([kind.replace("_types", " type"), *splits], rows)
    return lines


def _scores(metrics: Mapping[str, Any]) -> list[str]:
    """Precision, recall and F1 of the best epoch, by kind (`entity`, `relation`, ...) and type."""
    best = {key.removeprefix("best_validation_"): value for key, value in metrics.items() if "best_validation_" in key}
    rows = []
    for key in (key for key in best if key.partition("/")[0].endswith("_f1")):
        measure, _, type = key.partition("/")
        counted = measure.removesuffix("_f1")
        values = [
            best.get(f"{counted}_{name}" + (f"/{type}" if type else "")) for name in ("precision", "recall", "f1")
        ]
        rows.append([counted, type or "**all**", *("" if v is None else f"{100 * v:.2f}" for v in values)])
    if not rows:
        return []
    return ["## Scores on the validation data", "", *_table(["", "type", "precision", "recall", "F1"], rows)]


def _versions() -> list[str]:
    rows = [["Python", platform.python_version()], *map(list, installed_versions(PACKAGES).items())]
    return ["## Versions", "", *_table(["", "version"], rows)]


def _table(header: list[str], rows: list[list[str]]) -> list[str]:
    return [markdown_table(header, rows, left_columns=len(header)), ""]


def _name(part: Any) -> str:
    return part if isinstance(part, str) else (part or {}).get("type", "default")
