"""
Dataset readers: a corpus combined with a view, one registered name per corpus.

    {"type": "wnut", "view": {"type": "tags", "scheme": "BIO"}, "token_indexers": {...}}

The options of a corpus (encoding, columns, ...) go directly in the reader's config.
"""

import inspect
import itertools
import logging
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any, get_type_hints

from allennlp.common import Params
from allennlp.data import DatasetReader, Instance, TokenIndexer
from allennlp.data.fields import MetadataField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import Token, Tokenizer
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data import tokenizers  # noqa: F401  registers them all
from ner_zoo.data.annotation_dropout import AnnotationDropout
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import SentenceSplitter
from ner_zoo.data.sources import sources
from ner_zoo.data.views import View
from ner_zoo.data.weak import WeakLabels

logger = logging.getLogger(__name__)


class CorpusReader(DatasetReader):
    """
    corpus : reads files into sentences.
    view : converts sentences to fields; each corpus has a default.
    token_indexers : as in AllenNLP (default: one id per lower-cased word).
    tokenizer, sentence_splitter : for raw text at prediction time; each corpus has a default. They are stored in the
        archive.
    weak : labels from dictionaries, patterns and models. Use a validation reader without it.
    annotation_dropout : drop a share of the annotations. Use a validation reader without it.
    max_instances : maximum number of instances to read.
    """

    # The class of `corpus`, set by the readers registered below.
    corpus_class: type[Corpus] = Corpus

    def __init__(
        self,
        corpus: Corpus,
        view: View | None = None,
        token_indexers: dict[str, TokenIndexer] | None = None,
        tokenizer: Tokenizer | None = None,
        sentence_splitter: SentenceSplitter | None = None,
        weak: WeakLabels | None = None,
        annotation_dropout: AnnotationDropout | None = None,
        max_instances: int | None = None,
    ) -> None:
        super().__init__(
            max_instances=max_instances, manual_distributed_sharding=True, manual_multiprocess_sharding=True
        )
        self.corpus = corpus
        self.view = view or View.by_name(corpus.view)()
        self.token_indexers = token_indexers or {"tokens": SingleIdTokenIndexer(lowercase_tokens=True)}
        self.tokenizer = tokenizer or Tokenizer.by_name(corpus.tokenizer)()
        self.sentence_splitter = sentence_splitter or SentenceSplitter.by_name(corpus.sentence_splitter)()
        self.weak = weak
        self.annotation_dropout = annotation_dropout
        self._reported: set[str] = set()

    @classmethod
    @overrides
    def from_params(  # type: ignore[override]
        cls, params: Params, constructor_to_call: Any = None, constructor_to_inspect: Any = None, **extras: Any
    ) -> "CorpusReader":
        if cls is CorpusReader or "corpus" in params:
            return super().from_params(params, constructor_to_call, constructor_to_inspect, **extras)
        # Options of both, such as a tokenizer for raw text, are passed to both.
        shared = _parameters(CorpusReader)
        names = [name for name in _parameters(cls.corpus_class) if name in params]
        own = {name: deepcopy(params.params[name]) for name in names}
        for name in set(names) - set(shared):
            params.pop(name, keep_as_dict=True)
        corpus = cls.corpus_class.from_params(Params(own, history=params.history))
        return super().from_params(params, constructor_to_call, constructor_to_inspect, corpus=corpus, **extras)

    @classmethod
    def config_parameters(cls) -> dict[str, Any]:
        """The options of this reader with their types: see `ner_zoo.platform.strict_config`."""
        return {**_parameters(cls.corpus_class), **_parameters(CorpusReader)}

    @overrides
    def _read(self, file_path: str) -> Iterable[Instance]:
        numbers = itertools.count()
        for source in sources(self.corpus, str(file_path)):
            repairs = Repairs()
            numbered = self._shard(source.sentences(repairs), numbers)
            for number, sentence in numbered if self.weak is None else self.weak(numbered, repairs):
                if self.annotation_dropout is not None:
                    sentence = self.annotation_dropout(sentence, number)
                yield self._instance(sentence, repairs)
            if source.file not in self._reported and self._share()[0] == 0:
                self._reported.add(source.file)
                repairs.report(source.file)

    def _shard(self, sentences: Iterable[Sentence], numbers: Iterator[int]) -> Iterator[tuple[int, Sentence]]:
        """The sentences for this process, each with its number in the corpus."""
        share, shares = self._share()
        for sentence, number in zip(sentences, numbers):
            if number % shares == share:
                yield number, sentence

    def _share(self) -> tuple[int, int]:
        """The index of this process and the number of processes that share the data."""
        # AllenNLP's own shard_iterable() does not see the distributed ranks inside a data loader worker.
        ranks, workers = self.get_distributed_info(), self.get_worker_info()
        rank, world = (ranks.global_rank, ranks.world_size) if ranks else (0, 1)
        worker, num_workers = (workers.id, workers.num_workers) if workers else (0, 1)
        return rank + world * worker, world * num_workers

    def _instance(self, sentence: Sentence, left_out: Repairs) -> Instance:
        instance = self.text_to_instance(sentence)
        for name, field in self.view.labels(sentence, left_out).items():
            instance.add_field(name, field)
        return instance

    @overrides(check_signature=False)
    def text_to_instance(self, sentence: Sentence) -> Instance:  # type: ignore[override]
        """The instance of a sentence without its annotation, as input for a model."""
        text = TextField([Token(token) for token in sentence.tokens])
        fields = {"text": text, "metadata": MetadataField(sentence)}
        return Instance({**fields, **self.view.inputs(sentence)})

    @overrides
    def apply_token_indexers(self, instance: Instance) -> None:
        instance["text"].token_indexers = self.token_indexers  # type: ignore[attr-defined]


def _parameters(part: type) -> dict[str, Any]:
    """The named parameters of a class's constructor with their types."""
    constructor = part.__init__  # type: ignore[misc]
    types = get_type_hints(constructor)
    return {name: types.get(name, Any) for name in inspect.signature(constructor).parameters if name != "self"}


def _register(name: str) -> None:
    """Registers a reader for the corpus `name`."""
    corpus_class = Corpus.by_name(name)
    reader = type(f"{name.capitalize()}Reader", (CorpusReader,), {"corpus_class": corpus_class, "__module__": __name__})
    globals()[reader.__name__] = DatasetReader.register(name)(reader)


for _name in Corpus.list_available():
    _register(_name)
