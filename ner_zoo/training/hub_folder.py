"""
Writes an archive as a folder for the Hugging Face Hub, ready for `hf upload USER/NAME FOLDER`.

    README.md     the model card, with metadata for the Hub (task, data, licence, measured scores)
    config.json   weights.th   vocabulary/   and the other files of the archive

AllenNLP can open the folder like the archive.
"""

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.models.archival import CONFIG_NAME

from ner_zoo.data.catalogue import catalogue
from ner_zoo.platform import archives
from ner_zoo.platform.archive_opening import METRICS, MODEL_CARD
from ner_zoo.platform.archive_problems import named_errors

WEIGHTS, BEST_WEIGHTS = "weights.th", "best.th"
TASK = "token-classification"
# The Hub supports AllenNLP, and shows how to open the model with it.
LIBRARY = "allennlp"
# Languages in the catalogue.
CODES = {
    "Arabic": "ar", "Chinese": "zh", "Dutch": "nl", "English": "en", "German": "de", "Portuguese": "pt",
    "Russian": "ru", "Spanish": "es",
}  # fmt: skip
# The Hub's licence identifiers; any other licence is `other` with a name.
LICENCES = set(
    "afl-3.0 agpl-3.0 apache-2.0 bsd-2-clause bsd-3-clause cc0-1.0 cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 "
    "cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 "
    "cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 gpl-2.0 gpl-3.0 lgpl-2.1 lgpl-3.0 mit mpl-2.0 "
    "odbl pddl unlicense".split()
)
USAGE = """\

## How to use it

```python
from ner_zoo import load

model = load("hf://USER/{name}")
model("Your text.").entities
```

`USER` is the account that owns this repository. Install `ner_zoo` first.
"""


@dataclass(frozen=True)
class CardDetails:
    """
    Metadata from the user; empty fields are taken from the config if possible.

    name : model name. dataset : dataset identifier on the Hub. language : ISO 639 codes. licence : licence of the
        model.
    """

    name: str = ""
    dataset: str = ""
    language: Sequence[str] = ()
    licence: str = ""


def write_hub_folder(archive: str, folder: str, details: CardDetails) -> list[str]:
    """Writes the folder, and returns the names of missing metadata."""
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ConfigurationError(f"{folder} exists and is not an empty folder. Pass another --output, or remove it.")
    with named_errors(archive):
        card, metrics = _unpack(Path(cached_path(archive)), target, archive)
        config = json.loads((target / CONFIG_NAME).read_text(encoding="utf-8"))
        data = card_data(config, metrics, details, details.name or target.resolve().name)

        from huggingface_hub import ModelCard

        body = (card or f"# {data.model_name}\n") + USAGE.format(name=data.model_name)
        ModelCard(f"---\n{data.to_yaml()}\n---\n\n{body}").save(target / "README.md")
    wanted = {"license": data.license, "language": data.language, "datasets": data.datasets}
    return [name for name, value in {**wanted, "model-index": data.eval_results}.items() if not value]


def _unpack(source: Path, target: Path, archive: str) -> tuple[str, dict[str, Any]]:
    """Copies the model's files to the folder; returns the model card and the training metrics."""
    if source.is_dir():
        archives.check_contents(source, archive)
        target.mkdir(parents=True, exist_ok=True)
        weights = WEIGHTS if (source / WEIGHTS).exists() else BEST_WEIGHTS
        shutil.copyfile(source / weights, target / WEIGHTS)
        shutil.copytree(source / "vocabulary", target / "vocabulary", ignore=shutil.ignore_patterns(".lock"))
        for name in (CONFIG_NAME, MODEL_CARD, METRICS):
            if (source / name).exists():
                shutil.copyfile(source / name, target / name)
    else:
        with archives.extracted_archive(source) as folder:  # a refused archive leaves nothing behind
            shutil.copytree(folder, target, ignore=shutil.ignore_patterns(".lock"), dirs_exist_ok=True)
        if not (target / METRICS).exists() and (source.parent / METRICS).exists():  # an archive in its run's folder
            shutil.copyfile(source.parent / METRICS, target / METRICS)
    card, metrics = target / MODEL_CARD, target / METRICS
    text = card.read_text(encoding="utf-8") if card.exists() else ""
    card.unlink(missing_ok=True)  # replaced by README.md
    return text, json.loads(metrics.read_text(encoding="utf-8")) if metrics.exists() else {}


def card_data(config: Mapping[str, Any], metrics: Mapping[str, Any], details: CardDetails, name: str) -> Any:
    """The metadata as huggingface_hub's `ModelCardData`."""
    from huggingface_hub import ModelCardData

    corpus = catalogue().get(config["dataset_reader"].get("type", ""))
    languages = list(details.language) or [code for word, code in CODES.items() if corpus and word in corpus.language]
    dataset = details.dataset or (corpus.name if corpus else "")
    scores = list(_scores(metrics, config, dataset))
    return ModelCardData(
        language=languages or None,
        library_name=LIBRARY,
        pipeline_tag=TASK,
        tags=["ner_zoo", "named-entity-recognition", config["model"]["type"]],
        datasets=[dataset] if dataset else None,
        metrics=["precision", "recall", "f1"],
        model_name=name,
        eval_results=scores or None,
        **_licence(details.licence or _licence_in(config)),
    )


def _scores(metrics: Mapping[str, Any], config: Mapping[str, Any], dataset: str) -> Iterator[Any]:
    """Precision, recall and F1 of the best epoch on the validation data and, if measured, on the test data."""
    from huggingface_hub import EvalResult

    for split, prefix in (("validation", "best_validation_"), ("test", "test_")):
        for counted in ("entity", "relation"):
            for measure, title in (("f1", "F1"), ("precision", "precision"), ("recall", "recall")):
                value = metrics.get(f"{prefix}{counted}_{measure}")
                if value is not None:
                    yield EvalResult(
                        task_type=TASK,
                        task_name="Named entity recognition",
                        dataset_type=dataset or config["dataset_reader"]["type"],
                        dataset_name=dataset or Path(str(config.get(f"{split}_data_path"))).name,
                        dataset_split=split,
                        metric_type=measure,
                        metric_name=f"{counted.capitalize()} {title}",
                        metric_value=round(value, 4),
                    )


def _licence_in(config: Mapping[str, Any]) -> str:
    """The options of the model card in the config."""
    callbacks = config.get("trainer", {}).get("callbacks", ())
    cards = [one for one in callbacks if isinstance(one, dict) and one.get("type") == "model_card"]
    return cards[-1].get("licence", "") if cards else ""


def _licence(licence: str) -> dict[str, Any]:
    """The Hub's identifier of a licence: `CC BY 4.0` is `cc-by-4.0`."""
    code = re.sub(r"[^a-z0-9.]+", "-", licence.lower()).strip("-")
    if not code or code in LICENCES:
        return {"license": code} if code else {}
    return {"license": "other", "license_name": code}
