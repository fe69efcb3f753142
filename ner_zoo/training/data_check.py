"""
Checks the data before training: data without entities is an error, and mismatched splits are a warning.

A file read with the wrong reader or the wrong column often parses fine but has no entities: training on it would end
with a loss of 0. This is one of the default callbacks and does not have to be configured.
"""

import logging
from itertools import islice

from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.auto import Auto
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.statistics import Statistics
from ner_zoo.data.corpora.text import Text
from ner_zoo.data.readers import CorpusReader
from ner_zoo.data.source_checks import advice, readers_that_fit
from ner_zoo.data.sources import sources
from ner_zoo.data.views.joint import Joint
from ner_zoo.platform.run_callback import RunCallback

logger = logging.getLogger(__name__)

# How many sentences to check per split: enough for a verdict, even if they have to be read again.
MOST_SENTENCES = 20_000
# The share of numbers among tokens that is suspicious.
MOSTLY = 0.5
WEAK_ADVICE = (
    "Check that the names and patterns occur in the text as whole tokens and in the same case (case='ignore' matches "
    "any), and that the threshold of a model is not too high."
)


@TrainerCallback.register("data_check")
class DataCheck(RunCallback):
    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        # A worker of distributed training sees only a share of the data, which is not conclusive.
        if not self.is_primary or trainer._distributed:
            return
        train = summary_of(trainer.data_loader)
        if train is None:
            return
        refuse_nothing(train, trainer.data_loader)
        validation = summary_of(trainer._validation_data_loader) if trainer._validation_data_loader else None
        for warning in split_warnings(train, validation):
            logger.warning(warning)


def summary_of(loader: DataLoader) -> Statistics | None:
    """Summarises a loader's data; `None` if its reader is not one of ours."""
    reader = getattr(loader, "reader", None)
    if not isinstance(reader, CorpusReader):
        return None
    summary = Statistics()
    for instance in islice(loader.iter_instances(), MOST_SENTENCES):
        sentence = instance["metadata"].metadata  # type: ignore[attr-defined]
        if isinstance(sentence, Sentence):
            summary.add(sentence)
    return summary


def refuse_nothing(train: Statistics, loader: DataLoader) -> None:
    """Raises an error if the training data has no entities or, for a joint model, no relations."""
    reader, path = loader.reader, str(loader.data_path)  # type: ignore[attr-defined]
    missing = "entity" if not train.entity_types else "relation"
    is_joint = isinstance(reader.view, Joint)
    if (train.entity_types and (train.relation_types or not is_joint)) or not train.sentences:
        return
    file = sources(reader.corpus, path)[0].file
    has_weak_sources = missing == "entity" and reader.weak is not None and bool(reader.weak.sources)
    if has_weak_sources and isinstance(reader.corpus, Text):
        raise ConfigurationError(
            f"No weak source matched anything in {train.sentences:,} sentences of {file}, so there is nothing to "
            f"learn. {WEAK_ADVICE}"
        )
    others = {} if isinstance(reader.corpus, Auto) else readers_that_fit(reader.corpus, file)
    hint = advice(others) if others else "Check which columns or fields are read."
    if has_weak_sources:
        hint = f"No weak source matched anything either. {WEAK_ADVICE} {hint}"
    raise ConfigurationError(
        f"The training data has no {missing} in {train.sentences:,} sentences, so there is nothing to learn. {file}: "
        f"{Sample.of(file).shown()}. {hint} `allennlp inspect {file}` shows what is read."
    )


def split_warnings(train: Statistics, validation: Statistics | None) -> list[str]:
    """Suspicious properties of the splits, by themselves and compared with each other."""
    found = []
    for name, split in (("training", train), ("validation", validation)):
        if split is not None and split.tokens and split.numeric_tokens >= MOSTLY * split.tokens:
            found.append(
                f"{round(100 * split.numeric_tokens / split.tokens)}% of the tokens of the {name} data are numbers. "
                "Check that tokens are read from the right column."
            )
    if validation is not None and validation.entity_types and not train.entity_types & validation.entity_types:
        found.append(
            "The training and the validation data have no entity type in common: "
            f"{', '.join(sorted(train.entity_types)[:8])} and {', '.join(sorted(validation.entity_types)[:8])}."
        )
    return found
