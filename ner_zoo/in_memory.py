"""
Train a model from Python, on examples in memory:

    from ner_zoo import Example, train
    model = train([Example("Ada lived in London.", [(0, 3, "PER"), (13, 19, "LOC")]), ...], loss="nll")
    model("Ada sang.")

The examples and a config are written to a folder; `allennlp train FOLDER/config.jsonnet -s ...` repeats the run.
"""

import json
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.api import Annotator, load
from ner_zoo.data.corpora.hf_dataset import TAGS, TOKENS
from ner_zoo.example import record_of

MODELS = {
    "tagger": "use.tagger + use.scheme('BIOES') + use.crf",
    "span": "use.span()",
    "joint_relation": "use.joint_relation() + use.crf",
}
INPUTS = "use.learned_words(50) + use.characters() + use.bilstm(100, embedding_dropout=0.2)"
HELD_OUT = 10
# The columns of a dataset that are used.
USED = (*TOKENS, *TAGS)


def train(
    examples: Iterable[Any],
    validation: Iterable[Any] | None = None,
    model: str = "tagger",
    loss: str = "nll",
    encoder: str | None = None,
    epochs: int = 30,
    label_names: Sequence[str] | None = None,
    config: str | None = None,
    folder: str | None = None,
    seed: int = 13370,
) -> Annotator:
    """
    Trains a model and returns it, ready for use.

    examples : `Example` objects, spaCy docs (entities and span groups), or dicts for the readers `span_json` and
        `hf_dataset`, such as the rows of a `datasets.Dataset`.
    validation : examples for choosing the best epoch (default: every tenth example, which is then not trained on).
    model : `tagger`, `span` (for nested entities) or `joint_relation` (for relations).
    loss : the registered name of a loss: `nll`, `nrces`, `partial_likelihood`, ...
    encoder : name or folder of a Hugging Face encoder (default: a BiLSTM over learned word vectors).
    label_names : the names of numeric tags; not needed for a `datasets.Dataset` with a `ClassLabel`.
    config : a Jsonnet file that provides everything but the data, instead of model, loss, encoder and epochs.
    folder : folder for examples, config and run (default: a temporary folder, which is deleted with the model).
    """
    if isinstance(examples, dict):
        raise ConfigurationError(
            f"The dataset has the splits {', '.join(examples)}. Pass one of them: train(dataset[...])."
        )
    names = label_names or _label_names(examples)
    if folder is None:
        temporary = tempfile.TemporaryDirectory(prefix="ner_zoo_")
        trained = train(examples, validation, model, loss, encoder, epochs, label_names, config, temporary.name, seed)
        weakref.finalize(trained, temporary.cleanup)
        return trained
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    paths, is_tagged = _write_data(place, examples, validation)
    reader: dict[str, Any] = {"type": "hf_dataset" if is_tagged else "span_json"}
    if names is not None and (is_tagged or label_names):
        reader["label_names"] = list(names)
    parts = f"(import {json.dumps(str(Path(config).resolve()))})" if config else _parts(model, loss, encoder, epochs)
    (place / "config.jsonnet").write_text(_config(parts, reader, paths, seed), encoding="utf-8")
    _run(place)
    return load(str(place / "run" / "model.tar.gz"))


def _write_data(place: Path, examples: Iterable[Any], validation: Iterable[Any] | None) -> tuple[list[str], bool]:
    """The paths of training and validation data, and whether they are tokens with tags."""
    train_file = place / "train.jsonl"
    is_tagged = _write(train_file, examples)
    if validation is None:
        parts = (f"{train_file} [all but every {HELD_OUT}th]", f"{train_file} [every {HELD_OUT}th]")
        return list(parts), is_tagged
    if _write(place / "validation.jsonl", validation) != is_tagged:
        raise ConfigurationError(
            "Training and validation examples have different formats. Pass both in the same format."
        )
    return [str(train_file), str(place / "validation.jsonl")], is_tagged


def _write(path: Path, examples: Iterable[Any]) -> bool:
    kinds = set()
    with path.open("w", encoding="utf-8") as file:
        for number, one in enumerate(examples, start=1):
            is_tagged = _has_tags(one)
            kinds.add(is_tagged)
            # Other columns of a table may contain anything.
            record = {name: one[name] for name in USED if name in one} if is_tagged else record_of(one, number)
            file.write(json.dumps(record, ensure_ascii=False, default=_plain) + "\n")
    if not kinds:
        raise ConfigurationError("There are no examples to train on.")
    if len(kinds) > 1:
        raise ConfigurationError("Some examples have tags and some have spans. Pass all of them in the same format.")
    return kinds.pop()


def _has_tags(one: Any) -> bool:
    """Whether it is a row of a Hugging Face dataset, with tokens and one tag per token."""
    return isinstance(one, dict) and any(name in one for name in TOKENS) and any(name in one for name in TAGS)


def _label_names(examples: Any) -> list[str] | None:
    """The tag names of a `datasets.Dataset`, if its features include them."""
    features = getattr(examples, "features", None) or {}
    for name in TAGS:
        feature = features.get(name)
        element = feature[0] if isinstance(feature, list) and feature else getattr(feature, "feature", None)
        if names := getattr(element, "names", None):
            return list(names)
    return None


def _plain(value: Any) -> Any:
    """Converts numpy numbers and arrays, as found in rows of a table."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise ConfigurationError(f"An example contains {type(value).__name__}, which is not a text, a number or a list.")


def _parts(model: str, loss: str, encoder: str | None, epochs: int) -> str:
    if model not in MODELS:
        raise ConfigurationError(f"There is no model {model!r}. Choose one of {', '.join(MODELS)}.")
    inputs = f"use.encoder({json.dumps(encoder)}, epochs={epochs})" if encoder else INPUTS
    options = f"{{ loss:: {json.dumps(loss)}, trainer+: {{ num_epochs: {epochs} }} }}"
    return f"experiment + {MODELS[model]} + {inputs} + {options}"


def _config(parts: str, reader: dict[str, Any], paths: list[str], seed: int) -> str:
    seeds = dict.fromkeys(("random_seed", "numpy_seed", "pytorch_seed"), seed)
    data = {"train_data_path": paths[0], "validation_data_path": paths[1], **seeds}
    return (
        "local experiment = import 'ner_zoo/experiment.libsonnet';\nlocal use = import 'ner_zoo/use.libsonnet';\n\n"
        f"{parts}\n+ {{ dataset_reader+: {json.dumps(reader)} }}\n+ {json.dumps(data, indent=2)}\n"
    )


def _run(place: Path) -> None:
    from allennlp.commands.train import train_model
    from allennlp.common import Params

    train_model(Params.from_file(str(place / "config.jsonnet")), str(place / "run"), force=True)
