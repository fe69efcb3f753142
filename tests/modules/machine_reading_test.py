"""Machine reading: the encoder reads a sentence after each question; scores of spans and labels; a whole model."""

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close
from transformers import AutoModel, AutoTokenizer

from ner_zoo import load
from ner_zoo.labels.spans import SpanLabels
from ner_zoo.modules.machine_reading import QuestionEncoder, QuestionScores, QuestionSpans
from tests.encoder_experiments import ENCODER, LONG, NOTHING, experiment
from tests.modules.frozen_encoder_test import batch

QUESTIONS = {"PER": "the running city", "LOC": "the harbour"}
DEMO = "{ ORG: 'the works', PER: 'the city', LOC: 'the harbour', PROD: 'running' }"
WORDS = ("the", "berging", "works")


def reader(**options):
    return QuestionEncoder(ENCODER, QUESTIONS, max_length=16, **options).eval()


def pair(question, words):
    """The vectors of the sentence's pieces, by the encoder and the tokenizer alone."""
    tokenizer = AutoTokenizer.from_pretrained(ENCODER)
    inputs = tokenizer(question, " ".join(words), return_tensors="pt")
    states = AutoModel.from_pretrained(ENCODER).eval()(**inputs).last_hidden_state[0]
    start = len(tokenizer(question)["input_ids"])
    return states[start:-1]


@torch.no_grad()
def test_the_vectors_are_those_of_the_sentence_after_each_question_in_order_of_the_types():
    tensors = batch(WORDS, ("the",))
    found = reader()(**tensors)
    pieces = [AutoTokenizer.from_pretrained(ENCODER).tokenize(word) for word in WORDS]
    for number, type in enumerate(sorted(QUESTIONS)):
        states = pair(QUESTIONS[type], WORDS).split([len(some) for some in pieces])
        expected = torch.stack([some.mean(0) for some in states])
        assert_close(found[0, :, 16 * number : 16 * (number + 1)], expected)


@torch.no_grad()
def test_a_long_sentence_is_read_in_windows_each_after_the_question():
    encoder = reader()
    found = encoder(**batch(LONG, WORDS, NOTHING))
    assert found.shape == (3, len(LONG), encoder.get_output_dim()) and found[0].any(dim=-1).all()
    assert not found[1, len(WORDS) :].any() and not found[2].any()
    assert_close(found[1, : len(WORDS)], encoder(**batch(WORDS))[0])


def test_a_question_that_leaves_no_room_for_the_sentence_is_refused():
    with pytest.raises(ConfigurationError, match=r"longest question has 5\d pieces.*only 64.*Shorten"):
        QuestionEncoder(ENCODER, {"PER": "the " * 51}, max_length=16)


def test_an_encoder_without_questions_is_refused():
    with pytest.raises(ConfigurationError, match="Write one for each entity type"):
        QuestionEncoder(ENCODER, {})


def test_a_frozen_encoder_has_no_parameters_to_train():
    assert not any(parameter.requires_grad for parameter in reader(train_parameters=False).parameters())


@torch.no_grad()
def test_the_score_of_a_span_is_that_of_its_start_its_end_and_their_match():
    spans = QuestionSpans(input_dim=8, types=2, dim=3).eval()
    vectors = torch.randn(1, 4, 8)
    [found] = spans(spans.tokens(vectors), torch.tensor([[[[1, 4]], [[2, 3]]]]))
    first, last = spans.ends.weight.split(4)
    first_bias, last_bias = spans.ends.bias.split(4)
    for place, (i, j) in enumerate([(1, 3), (2, 2)]):
        for type in range(2):
            h_i, h_j = vectors[0, i, 4 * type : 4 * type + 4], vectors[0, j, 4 * type : 4 * type + 4]
            x, y = first @ h_i + first_bias, last @ h_j + last_bias
            match = spans.match(torch.nn.functional.gelu(x[:3] + y[:3])).squeeze()
            assert_close(found[place, type], match + x[3] + y[3])


def test_a_label_has_the_sum_of_the_scores_of_its_types():
    labels = SpanLabels(("O", "LOC", "LOC + PER", "PER"))
    head = QuestionScores(2, labels, ["LOC", "PER"])
    found = head(torch.tensor([[[1.0, 3.0]]]), torch.ones(1, 1, dtype=torch.bool))
    assert found.scores.tolist() == [[[0.0, 1.0, 4.0, 3.0]]] and found.background == 0


@pytest.mark.parametrize("types", [["LOC"], ["LOC", "ORG", "PER"], ["LOC", "Person"]])
def test_questions_about_other_types_than_those_of_the_data_are_refused(types):
    with pytest.raises(ConfigurationError, match=r"types of the training data are LOC, PER\. Write one question"):
        QuestionScores(len(types), SpanLabels(("O", "LOC", "PER")), types)


def test_sizes_that_do_not_fit_are_refused():
    with pytest.raises(ConfigurationError, match="question_encoder"):
        QuestionSpans(input_dim=7, types=2)
    with pytest.raises(ConfigurationError, match="question_spans"):
        QuestionScores(3, SpanLabels(("O", "LOC", "PER")), ["LOC", "PER"])


def test_a_model_trains_with_a_robust_loss_and_its_archive_restores_it(tmp_path):
    parts = f"use.machine_reading('{ENCODER}', {DEMO}, max_length=32) + use.flat"
    config = experiment(parts, system="use.demo + use.span(max_width=4) + use.nrces()")
    trained = train_model(Params(config), str(tmp_path / "run")).state_dict()
    loaded = load(str(tmp_path / "run" / "model.tar.gz"))
    restored = loaded.predictor._model.state_dict()
    assert trained.keys() == restored.keys() and all(torch.equal(trained[name], restored[name]) for name in trained)
    assert loaded("the works in the city").text == "the works in the city"
