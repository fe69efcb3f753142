"""
The pages on registered parts: every class that a config can select by `type`, with its options.
"""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from allennlp.common import Registrable

from ner_zoo.platform.registry import load_everything
from reference.markdown import code, document, option_table, table
from reference.options import Option, options, summary

load_everything()


@dataclass(frozen=True)
class Kind:
    """
    A base class whose parts are listed together.

    given : options set by the owner of the part; a config does not set them.
    """

    title: str
    base: str
    place: str
    given: frozenset[str] = frozenset()


SIZES = frozenset({"input_dim", "labels", "num_tags", "num_labels"})
KINDS = (
    Kind("Models", "allennlp.models.Model", "`model`"),
    Kind("Heads", "ner_zoo.modules.head.Head", "`model.head`", SIZES),
    Kind("Relation heads", "ner_zoo.modules.relation.RelationHead", "`model.relation_head` of a joint model", SIZES),
    Kind("Losses", "ner_zoo.losses.Loss", "`model.loss`"),
    Kind("Costs", "ner_zoo.losses.cost.Cost", "`cost` of a hinge or a softmax margin"),
    Kind("Altered labellings", "ner_zoo.losses.altered_labelling.AlteredLabelling", "`altered_labelling` of a hinge"),
    Kind("Span decoders", "ner_zoo.labels.span_decoding.SpanDecoder", "`model.decoder` of a span model"),
    Kind(
        "Span representations",
        "ner_zoo.modules.span_representation.SpanRepresentation",
        "`model.representation` of a span model",
        SIZES,
    ),
    Kind("Token embedders", "allennlp.modules.TokenEmbedder", "`model.embedder.token_embedders.NAME`"),
    Kind("Encoders", "allennlp.modules.Seq2SeqEncoder", "`model.encoder`"),
    Kind("Sequence-to-vector encoders", "allennlp.modules.Seq2VecEncoder", "`encoder` of a character embedder"),
    Kind("Token indexers", "allennlp.data.TokenIndexer", "`dataset_reader.token_indexers.NAME`"),
    Kind("Views", "ner_zoo.data.views.View", "`dataset_reader.view`"),
    Kind("Candidates", "ner_zoo.data.candidates.Candidates", "`dataset_reader.view.candidates`"),
    Kind("Sources of weak labels", "ner_zoo.data.weak_source.WeakSource", "`dataset_reader.weak.sources`"),
    Kind("Vocabularies", "allennlp.data.Vocabulary", "`vocabulary`", {"instances"}),
    Kind("Tokenizers", "allennlp.data.Tokenizer", "`dataset_reader.tokenizer`"),
    Kind("Sentence splitters", "ner_zoo.data.sentence_splitter.SentenceSplitter", "`dataset_reader.sentence_splitter`"),
    Kind("Batch samplers", "allennlp.data.BatchSampler", "`data_loader.batch_sampler`"),
    Kind("Trainer callbacks", "allennlp.training.callbacks.TrainerCallback", "`trainer.callbacks`"),
    Kind(
        "Learning rate schedulers",
        "allennlp.training.learning_rate_schedulers.LearningRateScheduler",
        "`trainer.learning_rate_scheduler`",
    ),
    Kind("Metrics", "allennlp.training.metrics.Metric", "your own models"),
)
# Kinds with their own pages, or that no config selects.
ELSEWHERE = {"Subcommand", "DatasetReader", "Corpus", "Writer", "Trainer", "Predictor"}


def base_class(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def registered(base: Any) -> Iterator[tuple[str, type, list[Option]]]:
    """Our parts of a kind: name, class and options."""
    for name, (cls, constructor) in sorted(Registrable._registry[base].items()):
        if cls.__module__.startswith("ner_zoo."):
            yield name, cls, list(options(cls, getattr(cls, constructor) if constructor else None))


def entries(base: Any, given: frozenset[str] = frozenset()) -> Iterator[str]:
    for name, cls, found in registered(base):
        yield f"### `{name}`\n\n{summary(cls)}\n\n{option_table([one for one in found if one.name not in given])}"


def parts() -> str:
    sections = []
    for kind in KINDS:
        found = entries(base_class(kind.base), kind.given)
        sections.append("\n\n".join([f"## {kind.title}", f"Used in: {kind.place}.", *found]))
    return document(
        "Registered parts",
        "Every part that a config can select by `type`, with its options. In a config, `{ type: 'NAME', option: value "
        "}`; a part without required options can be given by name alone. AllenNLP's own parts work in the "
        "same places. [Config parts](use.md) are shorthand for these.",
        *sections,
    )


def readers() -> str:
    from ner_zoo.data.corpora.corpus import Corpus
    from ner_zoo.data.readers import CorpusReader
    from ner_zoo.data.writers.writer import Writer

    names = [(code(name), summary(cls)) for name, cls, _ in registered(Corpus)]
    return document(
        "Readers and formats",
        "A reader's options go directly in `dataset_reader`, next to `type`. Every reader also has the shared options.",
        "## All readers\n\n" + table(("name", "reads"), names),
        "## Options of every reader\n\n" + option_table(list(options(CorpusReader))),
        "## Options by reader\n\n" + "\n\n".join(entries(Corpus)),
        "## Formats to write\n\nTargets of `allennlp convert --to` and `allennlp annotate --format`; options go in "
        "`--writer-params`.\n\n" + "\n\n".join(entries(Writer)),
    )
