"""Every loss with every model: one step with finite numbers and gradients, or an error with the reason."""

from copy import deepcopy

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.models import Model

from ner_zoo.losses import Loss

ENCODER = {
    "embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}},
    "encoder": {"type": "padded_lstm", "input_size": 8, "hidden_size": 6},
}
MODELS = {
    "tagger with crf": ("tags", {"type": "tagger", "head": "crf", **ENCODER}),
    "tagger with softmax": ("tags", {"type": "tagger", "head": "softmax", **ENCODER}),
    "span": ("spans", {"type": "span", "representation": "endpoints", "head": "softmax", **ENCODER}),
    "joint_relation": ("joint", {"type": "joint_relation", "head": "softmax", **ENCODER}),
}
# Losses over independent positions are not defined for chains; an altered labelling needs tags.
BY_POSITION = {"nrces", "negative_sampling", "weighted_negative_sampling", "positive_unlabelled"}
OF_TAGS = {"hinge_yu", "double_hinge", "discounted_margin"}
# Required options of losses.
ARGUMENTS = {
    "weighted_sum": {"losses": ["nll", "focal"], "weights": [1.0, 0.5]},
    "positive_unlabelled": {"prior": 0.1},
    **{loss: {"altered_labelling": {"entity_type": "PER"}} for loss in OF_TAGS},
}
# The error for a loss that does not support a model: the reason, and what to use instead.
REFUSED = {
    **{
        (
            loss,
            "tagger with crf",
        ): f"The loss {loss} treats each token or span independently, .* LinearChain labels "
        "depend on each other. Use the model `span`, or the model `tagger` with the head `softmax`."
        for loss in BY_POSITION
    },
    **{
        (loss, "span"): "alters the tag of a token, but the labels .*PER.* are not tags .* Use the loss `hinge`."
        for loss in OF_TAGS
    },
}


def parts(view):
    reader = DatasetReader.from_params(Params({"type": "span_json", "view": view, "max_instances": 12}))
    instances = list(reader.read("fixtures/demo/train.jsonl"))
    return instances, Vocabulary.from_instances(instances)


@pytest.fixture(scope="module")
def corpora():
    return {view: parts(view) for view in ("tags", "spans", "joint")}


def step(loss, name, corpora):
    view, config = MODELS[name]
    instances, vocab = corpora[view]
    torch.manual_seed(0)
    params = Params(deepcopy({**config, "loss": {"type": loss, **ARGUMENTS.get(loss, {})}}))
    model = Model.from_params(vocab=vocab, params=params)
    batch = Batch(instances)
    batch.index_instances(vocab)
    model.train()(**batch.as_tensor_dict())["loss"].backward()
    return model


@pytest.mark.parametrize("name", sorted(MODELS))
@pytest.mark.parametrize("loss", Loss.list_available())
def test_a_loss_trains_a_model_or_says_why_not(loss, name, corpora):
    if (loss, name) in REFUSED:
        with pytest.raises(ConfigurationError, match=REFUSED[loss, name]):
            step(loss, name, corpora)
        return
    gradients = [p.grad for p in step(loss, name, corpora).parameters() if p.grad is not None]
    assert gradients and all(gradient.isfinite().all() for gradient in gradients)
    assert any(gradient.abs().sum() > 0 for gradient in gradients)
