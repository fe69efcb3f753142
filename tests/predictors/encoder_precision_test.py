import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model
from allennlp.modules.token_embedders import PretrainedTransformerEmbedder

from ner_zoo.annotation import Sentence
from ner_zoo.predictors.ner_zoo import NerZooPredictor
from tests.encoder_experiments import ENCODER, LONG, experiment

SENTENCES = [Sentence(tuple(LONG)), Sentence(("the", "city", "is", "Gutenberg"))]


def predictor(part="encoder", **options):
    config = experiment(f"use.{part}('{ENCODER}', max_length=32)")
    reader = DatasetReader.from_params(Params(config["dataset_reader"]))
    vocab = Vocabulary(tokens_to_add={"labels": ["O", "B-ORG", "I-ORG"]})
    torch.manual_seed(0)
    model = Model.from_params(Params(config["model"]), vocab=vocab).eval()
    return NerZooPredictor(model, reader, **options)


def embedded(predictor):
    tensors = predictor._forward._tensors(SENTENCES)
    with torch.no_grad():
        return predictor._model.embedder(tensors["text"])


@pytest.mark.parametrize("part", ["encoder", "frozen_encoder"])
@pytest.mark.parametrize("precision", ["int8", "bf16", "auto"])
def test_an_encoder_computes_nearly_the_same_in_every_precision(part, precision):
    expected, found = embedded(predictor(part)), embedded(predictor(part, precision=precision))
    assert found.dtype == torch.float32
    error = (found - expected).norm() / expected.norm()
    assert error < 0.05
    assert (error > 1e-5) or precision == "auto"


def test_int8_leaves_no_linear_layer_of_the_encoder_in_float_and_the_rest_alone():
    model = predictor(precision="int8")._model
    (encoder,) = [module for module in model.modules() if isinstance(module, PretrainedTransformerEmbedder)]
    assert not [module for module in encoder.modules() if type(module) is torch.nn.Linear]
    assert [module for module in model.head.modules() if type(module) is torch.nn.Linear]
    assert predictor(precision="int8").predict_json({"tokens": ["the", "city"]})["tokens"]


def test_a_model_without_an_encoder_has_no_other_precision_than_float():
    config = experiment("use.words(dim=4)")
    reader = DatasetReader.from_params(Params(config["dataset_reader"]))
    vocab = Vocabulary(tokens_to_add={"labels": ["O", "B-ORG"], "words": ["city"]})
    model = Model.from_params(Params(config["model"]), vocab=vocab)
    NerZooPredictor(model, reader, precision="auto")
    with pytest.raises(ConfigurationError, match="has no pretrained encoder"):
        NerZooPredictor(model, reader, precision="int8")


def test_an_unknown_precision_is_refused():
    with pytest.raises(ConfigurationError, match="float, bf16, auto, int8"):
        predictor(precision="int4")


def test_batches_for_an_encoder_are_sorted_by_word_pieces():
    link = Sentence(("https://t.co/abcdefghijklmnopqrstuvwxyz",))
    plain = Sentence(("the", "city", "is", "in", "the", "city"))
    frugal = predictor(max_tokens_per_batch=40)
    lengths = frugal._forward.lengths([link, plain, Sentence(())])
    assert lengths[0] > 25 and lengths[1] == 8 and lengths[2] == 0
    assert list(frugal.batches([link, plain, Sentence(()), plain])) == [[1, 3], [0]]
