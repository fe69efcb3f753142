import pytest
import torch

from ner_zoo.annotation import Entity
from ner_zoo.data.candidates import Contiguous
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.span_labels import join_types
from ner_zoo.data.views import Spans
from ner_zoo.labels.mentions import Mention, joined
from ner_zoo.labels.spans import SpanLabels
from ner_zoo.structures import Independent
from ner_zoo.structures.labelled_spans import LabelledSpans, Links
from tests.real_corpora import DATA

TYPES = ("A", "A (part)", "B")
SPANS = {0: ((0, 1),), 1: ((0, 4),), 2: ((2, 3),), 3: ((3, 4),)}


def mention(place, type, score, is_part=False):
    (start, end) = SPANS[place][0]
    return Mention(place, type, start, end, score, 1.0, is_part)


def test_linked_parts_are_one_entity_whose_score_is_the_product():
    some = [mention(0, 1, 0.9, True), mention(2, 1, 0.8, True), mention(1, 2, 0.7)]
    found = dict(joined(some, SPANS, {(0, 2): 0.6}, TYPES))
    assert found == {Entity.of("B", 0, 4): 0.7, Entity("A", ((0, 1), (2, 3))): pytest.approx(0.9 * 0.8 * 0.6)}


def test_an_improbable_link_joins_nothing():
    some = [mention(0, 1, 0.9, True), mention(2, 1, 0.8, True)]
    assert joined(some, SPANS, {(0, 2): 0.4}, TYPES) == []


def test_entities_come_in_the_order_of_the_text():
    some = [mention(3, 0, 0.5), mention(1, 2, 0.7), mention(0, 0, 0.6)]
    starts = [(entity.start, entity.end) for entity, _ in joined(some, SPANS, {}, TYPES)]
    assert starts == [(0, 4), (0, 1), (3, 4)]


def decoded(sentence, view, left_out):
    """The output of the decoder for a model that is certain of the gold labels and links."""
    types, links = view.placed(sentence, left_out)
    names = {place: join_types(some) for place, some in types.items()}
    labels = SpanLabels(tuple(sorted({"O", *names.values()})))
    spans = torch.from_numpy(view.candidates.spans(sentence)).unsqueeze(0)
    gold = torch.tensor([labels.names.index(names.get(place, "O")) for place in range(spans.shape[1])])
    scores = 20.0 * torch.nn.functional.one_hot(gold, len(labels.names)).float().unsqueeze(0)
    mask = torch.ones(scores.shape[:2], dtype=torch.bool)
    structure = LabelledSpans(scores, mask, torch.tensor([len(sentence.tokens)]), spans, labels.background)
    if links:
        pairs, sure = torch.tensor([links]), torch.tensor([[[0.0, 50.0]] * len(links)])
        structure.links = Links(pairs, Independent(sure, torch.ones(pairs.shape[:2], dtype=torch.bool)))
    return {entity for entity, _ in labels.read(structure)[0].entities}


@pytest.mark.parametrize("part", ["train", "dev"])
def test_a_model_without_fault_finds_every_entity_of_nerel_with_its_gaps(part):
    if not (DATA / "nerel" / part).is_dir():
        pytest.skip("the corpora are not there")
    corpus, view, left_out = Corpus.by_name("nerel")(), Spans(Contiguous(12)), Repairs()
    split = missed = 0
    for file in corpus.files(str(DATA / "nerel" / part)):
        for sentence in corpus.sentences(file, Repairs()):
            # The few sentences with a gap in an entity, and some of the others.
            if not any(entity.is_discontinuous for entity in sentence.entities) and len(sentence.tokens) % 12:
                continue
            found = decoded(sentence, view, left_out)
            assert found <= set(sentence.entities), sentence.source
            missed += len(set(sentence.entities) - found)
            split += sum(entity.is_discontinuous for entity in found)
    assert missed == left_out.counts.total()
    assert split >= {"train": 23, "dev": 6}[part]


def test_the_tables_say_which_types_a_label_includes():
    labels = SpanLabels(("O", "PER", "ORG + PER", "PER (part)"))
    assert labels.background == 0
    assert labels.types == ["ORG", "PER"] and labels.marked_types == ("ORG", "PER", "PER (part)")
    assert labels.holds.astype(int).tolist() == [[0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert labels.is_part.tolist() == [False, False, True] and labels.has_parts


def test_labels_of_given_spans_have_no_background():
    assert SpanLabels(("PER", "ORG")).background == -1 and not SpanLabels(("PER", "ORG")).has_parts


def test_a_type_without_a_name_has_a_label():
    assert SpanLabels(("O", "")).holds.tolist() == [[False], [True]]
