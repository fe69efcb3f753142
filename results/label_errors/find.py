"""
Finds errors planted in the training data of CoNLL04 and WNUT-17, ranked by `clean`, by cleanlab's token method and by
loss, all from the same out-of-fold probabilities.

cleanlab (its version is recorded) scores tokens, by tags and by types alone; the best of its four rankings is reported.
The loss of a token is -log P(its gold tag), that of a sentence -log P(its gold annotation).
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from allennlp.common import Params

from ner_zoo.analysis.errors import tokens_of
from ner_zoo.analysis.evaluated_model import EvaluatedModel
from ner_zoo.analysis.suspects import Suspect
from ner_zoo.annotation import Relation, Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import sources
from ner_zoo.data.tag_schemes import split_tag, tags_from_entities
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.span_json import SpanJsonWriter
from ner_zoo.experiments.progress import LineProgress
from ner_zoo.experiments.schedule import LocalEngine
from ner_zoo.workbench.clean import Cleaning, Judges, clean
from ner_zoo.workbench.cross_training import CrossTraining, fold_runs, seed_of
from ner_zoo.workbench.folds import TrainingData, write_folds_of
from results.comparison import ROOT, data
from results.label_errors.corpus import corpus_quality
from results.label_errors.plant import Planted, plant
from results.label_errors.ranking import Place, Quality, quality

CORPORA = {"conll04": ("conll04", "conll04/train.txt"), "wnut17": ("wnut", "wnut17/wnut17train.conll")}
SEED = 1


def original(name: str) -> list[Sentence]:
    """The training data of a corpus."""
    reader, path = CORPORA[name]
    corpus: Any = Corpus.by_name(reader)()
    found = sources(corpus, str(Path(data()) / path))
    return [sentence for source in found for sentence in source.sentences(Repairs())]


def noisy_file(name: str, rate: int, folder: Path) -> tuple[Path, list[Planted]]:
    """The training data of a corpus with `rate` percent errors, written once, and the planted errors."""
    noisy, planted = plant(original(name), rate / 100, SEED)
    file = folder / f"{name}_{rate}.jsonl"
    if not file.exists():
        SpanJsonWriter().write(map(ScoredSentence, noisy), str(file), Repairs())
    return file, planted


def judged(
    name: str, rate: int, folder: Path, count: int, repeats: int = 1, judge: str | None = None
) -> tuple[Cleaning, list[Planted], list[list[Path]]]:
    """
    The out-of-fold answers for a noisy corpus; existing models are not trained again.

    judge : another config than that of the corpus.
    """
    file, planted = noisy_file(name, rate, folder)
    judge = judge or name
    config = Params.from_file(str(ROOT / "results" / "label_errors" / f"{judge}.jsonnet")).as_dict(quiet=True)
    config["train_data_path"] = str(file)
    known = TrainingData.of(config)
    place = folder / "runs" / f"{judge}_{rate}"
    place.mkdir(parents=True, exist_ok=True)
    folds_file, folds = write_folds_of(known, place, count, seed_of(config))
    runs = fold_runs(config, place, folds_file, count, repeats)
    archives = CrossTraining(runs, LocalEngine(1), LineProgress()).execute()
    return clean(known, Judges(folds, archives)), planted, archives


def measure(name: str, rate: int, folder: Path, count: int) -> dict[str, Any]:
    cleaning, planted, archives = judged(name, rate, folder, count)
    of_entities = [one for one in planted if not one.is_relation]
    tokens = TokenJudge(cleaning, archives)
    errors = [places(one) for one in of_entities]
    entities = [one for one in cleaning.compared if not one.is_relation]
    found = {
        "clean": quality(map(place_of, entities), errors),
        "cleanlab": max((quality(r, errors) for r in tokens.cleanlab()), key=lambda one: one.average_precision),
        "loss": max((quality(r, errors) for r in tokens.losses()), key=lambda one: one.average_precision),
    }
    return {
        "corpus": name,
        "rate": rate,
        "folds": count,
        "planted": len(planted),
        "entities": {method: asdict(one) for method, one in found.items()},
        "recall_by_kind": recall_by_kind(entities, of_entities),
        "relations": _relations(cleaning, [one for one in planted if one.is_relation]),
        "sentences": _sentences(cleaning, planted, tokens),
        "corrected": corpus_quality(original(name), cleaning),
    }


def places(one: Planted) -> set[tuple[int, int]]:
    return {(one.sentence, token) for entity in one.entities() for token in tokens_of(entity)}


def place_of(suspect: Suspect) -> Place:
    some = [one for one in (suspect.gold, suspect.proposal) if one is not None and not isinstance(one, Relation)]
    return {(suspect.sentence, token) for entity in some for token in tokens_of(entity)}


def pair_of(number: int, relation: Relation) -> tuple[int, frozenset]:
    return number, frozenset((relation.head.fragments, relation.tail.fragments))


def recall_by_kind(ranked: Sequence[Suspect], planted: Sequence[Planted]) -> dict[str, float]:
    """The share of each kind found by the first claims, as many as there are planted errors."""
    early = {place for one in ranked[: len(planted)] for place in place_of(one)}
    kinds = dict.fromkeys(one.kind for one in planted)
    return {kind: float(np.mean([bool(places(one) & early) for one in planted if one.kind == kind])) for kind in kinds}


def _relations(cleaning: Cleaning, planted: Sequence[Planted]) -> dict[str, Any]:
    if not planted:
        return {}
    errors = [{pair_of(p.sentence, one) for one in (p.before, p.after) if isinstance(one, Relation)} for p in planted]
    some = [one for one in cleaning.compared if one.is_relation]

    def claims(ranked: Sequence[Suspect]) -> Iterator[Place]:
        return ({pair_of(one.sentence, one.gold or one.proposal)} for one in ranked)  # type: ignore[arg-type]

    by_loss = sorted(some, key=lambda one: one.gold_probability)
    return {"clean": asdict(quality(claims(some), errors)), "loss": asdict(quality(claims(by_loss), errors))}


def _sentences(cleaning: Cleaning, planted: Sequence[Planted], tokens: "TokenJudge") -> dict[str, Any]:
    errors = [{number} for number in sorted({one.sentence for one in planted})]
    numbers = range(len(cleaning.answers))

    def ranked(scores: Any) -> Quality:
        return quality(({number} for number in sorted(numbers, key=lambda n: -scores[n])), errors)

    first = dict.fromkeys(numbers, 0.0)
    for one in cleaning.compared:
        first[one.sentence] = max(first[one.sentence], one.confidence)
    by_loss = [answer.error_probability for answer in cleaning.answers]
    worst = [1.0 - float(tokens.of_gold[number].min(initial=1.0)) for number in numbers]
    named = {"clean": first, "sentence_error_probability": by_loss, "cleanlab_worst_token": worst}
    return {name: asdict(ranked(scores)) for name, scores in named.items()}


class TokenJudge:
    """The out-of-fold probability of each tag of each token, and the resulting rankings of tokens."""

    def __init__(self, cleaning: Cleaning, archives: Sequence[Sequence[Path]]) -> None:
        count = len(cleaning.answers)
        self.marginals: list[np.ndarray] = [np.zeros((0, 0))] * count
        self.names: list[str] = []
        self.scheme = ""
        for fold, (archive, *_) in enumerate(archives):
            model = EvaluatedModel.load(str(archive))
            numbers = [number for number, own in enumerate(cleaning.judges.folds) if own == fold]
            self._read(model, numbers, cleaning)
        self.labels = [
            [self.names.index(tag) for tag in tags_from_entities(one.entities, len(one.tokens), self.scheme)]
            for one in cleaning.data.sentences
        ]
        self.of_gold = [rows[np.arange(len(own)), own] for rows, own in zip(self.marginals, self.labels)]

    def _read(self, model: EvaluatedModel, numbers: Sequence[int], cleaning: Cleaning) -> None:
        own: Any = getattr(model.labels, "tags", model.labels)
        self.scheme = own.scheme
        self.names = self.names or sorted(own.names)
        order = [own.names.index(name) for name in self.names]
        lengths = [len(cleaning.data.sentences[number].tokens) for number in numbers]
        for batch in model.predictor.batches([cleaning.data.sentences[number] for number in numbers]):
            structure = model.forward.structure([cleaning.data.sentences[numbers[place]] for place in batch])
            with torch.no_grad():
                marginals = getattr(structure, "entities", structure).marginals().double().numpy()
            for place, rows in zip(batch, marginals):
                kept = rows[: lengths[place], order]
                self.marginals[numbers[place]] = kept / kept.sum(1, keepdims=True)

    def _by_type(self) -> tuple[list[list[int]], list[np.ndarray]]:
        types = [split_tag(name)[1] for name in self.names]
        classes = sorted(set(types))
        table = np.array([[type == one for one in classes] for type in types], dtype=float)
        labels = [[classes.index(types[label]) for label in own] for own in self.labels]
        return labels, [rows @ table for rows in self.marginals]

    def losses(self) -> Iterator[list[Place]]:
        for labels, probabilities in ((self.labels, self.marginals), self._by_type()):
            scored = [
                (rows[place, label], number, place)
                for number, (rows, own) in enumerate(zip(probabilities, labels))
                for place, label in enumerate(own)
            ]
            yield [{(number, place)} for _, number, place in sorted(scored)]

    def cleanlab(self) -> Iterator[list[Place]]:
        from cleanlab.token_classification.filter import find_label_issues

        for labels, probabilities in ((self.labels, self.marginals), self._by_type()):
            for by in ("self_confidence", "normalized_margin"):
                issues = find_label_issues(labels, probabilities, return_indices_ranked_by=by, n_jobs=1)
                yield [{(int(number), int(place))} for number, place in issues]


def cleanlab_version() -> str:
    try:
        import cleanlab
    except ImportError:
        sys.exit(
            "cleanlab is not installed. Run: pip install --target FOLDER --no-deps cleanlab termcolor, and "
            "PYTHONPATH=FOLDER"
        )
    return cleanlab.__version__
