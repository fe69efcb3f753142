"""Adversarial training, compared with two manual passes."""

import copy

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.modules.token_embedders import TokenEmbedder
from allennlp.nn.parallel import TorchDdpAccelerator
from allennlp.nn.regularizers import L2Regularizer, RegularizerApplicator
from allennlp.training import Checkpointer, GradientDescentTrainer
from torch.testing import assert_close

from ner_zoo.training import embedding_layer
from ner_zoo.training.adversarial_training import AdversarialTraining
from ner_zoo.training.embedding_layer import EmbeddingLayer
from tests.training.two_passes import layers, model_and_instances, tensors, two_passes

EPSILONS = {"words": 0.7, "characters": 0.3}
CNN = {"type": "character_cnn", "embedding_dim": 3, "widths": [2, 3], "num_filters": 2, "num_highway": 1}


def trainer_of(model, instances, callbacks, batch_size=4, rate=0.1, **settings):
    loader = SimpleDataLoader(instances, batch_size, vocab=model.vocab)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=rate)
    settings = {"num_epochs": 1, "run_confidence_checks": False, **settings}
    return GradientDescentTrainer(model, optimizer, loader, callbacks=callbacks, **settings)


def parameters(model):
    return {name: parameter.detach().clone() for name, parameter in model.named_parameters()}


def steps_by_hand(model, groups, epsilons, weight, rate=0.1):
    """Plain gradient descent over groups of batches whose gradients are accumulated."""
    for group in groups:
        model.zero_grad()
        for batch in group:
            two_passes(model, batch, epsilons, weight, 1 / len(group))
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.grad is not None:
                    parameter -= rate * parameter.grad


@pytest.mark.parametrize("callback", [{"epsilon": EPSILONS}, {"epsilon": 0.5, "embedders": ["words"], "weight": 0.4}])
def test_training_is_that_of_two_passes_by_hand_with_3_batches_per_step_and_7_batches(callback):
    model, instances = model_and_instances()
    by_hand = copy.deepcopy(model)
    batches = [tensors(model, instances[at : at + 4]) for at in range(0, 28, 4)]
    epsilons = callback["epsilon"] if isinstance(callback["epsilon"], dict) else {"words": callback["epsilon"]}
    steps_by_hand(by_hand, [batches[:3], batches[3:6], batches[6:]], epsilons, callback.get("weight", 1.0))
    trainer_of(model, instances, [AdversarialTraining("", **callback)], num_gradient_accumulation_steps=3).train()
    assert_close(parameters(model), parameters(by_hand))


def test_the_letters_of_a_character_cnn_are_changed_as_by_hand():
    model, instances = model_and_instances(characters=dict(CNN))
    by_hand = copy.deepcopy(model)
    steps_by_hand(by_hand, [[tensors(model, instances[at : at + 4])] for at in (0, 4)], EPSILONS, 1.0)
    change, letters = changes_of(copy.deepcopy(model), instances[:4], epsilon=EPSILONS)["characters"]
    assert letters.shape[-1] == 3
    assert_close(change.flatten(1).norm(dim=1), torch.full((4,), 0.3, dtype=torch.float64))
    trainer_of(model, instances[:8], [AdversarialTraining("", epsilon=EPSILONS)]).train()
    assert_close(parameters(model), parameters(by_hand))


def test_an_embedder_whose_input_cannot_be_reached_is_refused_by_name_before_training():
    counts = {"type": "bag_of_word_counts", "vocab_namespace": "words"}
    projected = {"type": "embedding", "embedding_dim": 3, "projection_dim": 2, "vocab_namespace": "token_characters"}
    for config, kind in ((counts, "BagOfWordCountsTokenEmbedder"), (projected, "Embedding")):
        model, instances = model_and_instances()
        embedder = TokenEmbedder.from_params(Params(dict(config)), vocab=model.vocab)
        model.embedder._token_embedders["more"] = embedder
        model.embedder.add_module("token_embedder_more", embedder)
        with pytest.raises(ConfigurationError, match=rf"cannot access.*more \({kind}\).*'words', 'characters'"):
            trainer_of(model, instances, [AdversarialTraining("")]).train()


def test_the_reported_loss_is_the_clean_one_and_validation_is_left_alone():
    model, instances = model_and_instances()
    reported = []
    for callbacks in ([], [AdversarialTraining("", epsilon=2.0)]):
        validation = SimpleDataLoader(instances[:6], 3, vocab=model.vocab)
        metrics = trainer_of(model, instances, callbacks, rate=0.0, validation_data_loader=validation).train()
        reported.append({name: metrics[name] for name in metrics if "loss" in name or "f1" in name})
    assert "training_loss" in reported[0] and "validation_entity_f1" in reported[0]
    assert reported[0] == reported[1]


def test_a_regularisation_penalty_counts_once():
    model, instances = model_and_instances()
    penalty = L2Regularizer(0.1)
    model._regularizer = RegularizerApplicator([("encoder.*", penalty)])
    by_hand = copy.deepcopy(model)
    by_hand.zero_grad()
    two_passes(by_hand, tensors(model, instances[:4]), EPSILONS, 1.0, 1.0)
    by_hand.get_regularization_penalty().backward()
    trainer = trainer_of(model, instances[:4], [AdversarialTraining("", epsilon=EPSILONS)])
    trainer.train()
    gradients = {name: p.grad for name, p in model.named_parameters() if p.grad is not None}
    assert_close(gradients, {name: p.grad for name, p in by_hand.named_parameters() if p.grad is not None})


def changes_of(model, instances, **settings):
    """What the callback adds to the embeddings of one batch, by layer, and the embeddings."""
    seen = {name: [] for name in layers(model)}
    callback = AdversarialTraining("", **settings)
    trainer = trainer_of(model, instances, [callback])
    callback.on_start(trainer)
    # Registered after the callback's own hooks, these see the model's input.
    handles = [
        module.register_forward_hook(lambda *pass_, name=name: seen[name].append(pass_[2].detach()))
        for name, module in layers(model).items()
    ]
    trainer.batch_outputs(tensors(model, instances), for_training=True)
    for handle in handles:
        handle.remove()
    return {name: (second - first, first) for name, (first, second) in seen.items()}


def test_each_sentence_is_changed_by_epsilon_in_words_and_characters_apart():
    model, instances = model_and_instances()
    for name, (change, _) in changes_of(model, instances[:5], epsilon=EPSILONS).items():
        expected = torch.full((5,), EPSILONS[name], dtype=torch.float64)
        assert_close(change.flatten(1).norm(dim=1), expected, rtol=1e-6, atol=0)


def test_a_relative_epsilon_is_a_share_of_the_length_of_the_sentences_embeddings():
    model, instances = model_and_instances()
    change, embedded = changes_of(model, instances[:5], epsilon=0.2, norm="relative")["words"]
    lengths = [len(instance["text"]) for instance in instances[:5]]
    expected = [0.2 * embedded[at, :length].norm() for at, length in enumerate(lengths)]
    assert_close(change.flatten(1).norm(dim=1), torch.stack(expected), rtol=1e-6, atol=0)


def test_embedders_that_are_not_named_are_unchanged():
    model, instances = model_and_instances()
    changes = changes_of(model, instances[:5], epsilon=1.0, embedders=["characters"])
    assert not changes["words"][0].any() and changes["characters"][0].any()


def test_padding_is_not_changed():
    model, instances = model_and_instances()
    change, _ = changes_of(model, instances[:5], epsilon=1.0)["words"]
    for at, instance in enumerate(instances[:5]):
        assert not change[at, len(instance["text"]) :].any()


def test_a_sentence_without_a_gradient_is_left_alone():
    model, instances = model_and_instances(loss="hinge")
    with torch.no_grad():
        # Far enough ahead that the margin costs nothing.
        labels = tensors(model, instances[:1])["labels"]
        model.head.projection.weight.zero_()
        model.head.projection.bias.fill_(-50.0)
        model.head.projection.bias[labels[0, 0]] = 50.0
    for name, (change, _) in changes_of(model, instances[:1], epsilon=1.0).items():
        assert not change.any(), name


def test_it_begins_at_its_epoch_and_a_resumed_run_gives_the_same_result(tmp_path):
    def train(folder, epochs):
        model, instances = model_and_instances()
        callbacks = [AdversarialTraining("", epsilon=EPSILONS, start_epoch=1)]
        checkpointer = Checkpointer(str(folder), keep_most_recent_by_count=1)
        settings = {"checkpointer": checkpointer, "serialization_dir": str(folder)}
        trainer_of(model, instances, callbacks, num_epochs=epochs, **settings).train()
        return model

    whole = train(tmp_path / "whole", 2)
    train(tmp_path / "halves", 1)
    assert_close(parameters(train(tmp_path / "halves", 2)), parameters(whole))
    by_hand, instances = model_and_instances()
    batches = [[tensors(by_hand, instances[at : at + 4])] for at in range(0, 28, 4)]
    for epsilons, weight in (({}, 0.0), (EPSILONS, 1.0)):
        steps_by_hand(by_hand, batches, epsilons, weight)
    assert_close(parameters(whole), parameters(by_hand))


def test_under_autocast_the_gradients_are_those_of_full_precision_but_for_rounding():
    model, instances = model_and_instances()
    model = model.float()
    found = []
    for is_on in (False, True):
        trainer = trainer_of(model, instances[:8], [AdversarialTraining("", epsilon=EPSILONS)])
        trainer._callbacks[0].on_start(trainer)
        model.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=is_on):
            loss = trainer.batch_outputs(tensors(model, instances[:8]), for_training=True)["loss"]
        loss.backward()
        trainer._callbacks[0].on_end(trainer)
        found.append(torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]))
    assert found[1].isfinite().all()
    assert torch.nn.functional.cosine_similarity(*found, dim=0) > 0.99


def test_sparse_gradients_pass_through():
    model, instances = model_and_instances()
    dense = copy.deepcopy(model)
    for part in (model, dense):
        part.embedder.token_embedder_words.weight.requires_grad_()
    model.embedder.token_embedder_words.sparse = True
    found = []
    for part in (model, dense):
        callback = AdversarialTraining("", epsilon=EPSILONS)
        trainer = trainer_of(part, instances[:4], [callback])
        callback.on_start(trainer)
        trainer.batch_outputs(tensors(part, instances[:4]), for_training=True)["loss"].backward()
        found.append(part.embedder.token_embedder_words.weight.grad)
    assert found[0].is_sparse
    assert_close(found[0].to_dense(), found[1])


def test_after_training_the_model_has_no_hooks_and_the_trainer_sees_one_pass():
    model, instances = model_and_instances()
    trainer = trainer_of(model, instances[:4], [AdversarialTraining("")])
    trainer.train()
    assert not any(module._forward_hooks for module in model.modules())
    passes = []
    model.register_forward_hook(lambda *_: passes.append(1))
    trainer.batch_outputs(tensors(model, instances[:4]), for_training=True)
    assert len(passes) == 1


def test_an_embedder_that_the_model_does_not_have_is_refused_with_those_it_has():
    model, instances = model_and_instances()
    with pytest.raises(ConfigurationError, match="'word'.*words, characters"):
        trainer_of(model, instances, [AdversarialTraining("", embedders=["word"])]).train()


def test_an_embedder_named_twice_is_changed_once():
    model, instances = model_and_instances()
    change, _ = changes_of(model, instances[:5], epsilon=0.5, embedders=["words", "words"])["words"]
    assert_close(change.flatten(1).norm(dim=1), torch.full((5,), 0.5, dtype=torch.float64), rtol=1e-6, atol=0)


@pytest.mark.parametrize("settings", [{"embedders": []}, {"epsilon": {}}])
def test_nothing_to_change_is_refused(settings):
    model, instances = model_and_instances()
    with pytest.raises(ConfigurationError, match="no embedder to perturb.*words, characters"):
        trainer_of(model, instances, [AdversarialTraining("", **settings)]).train()


@pytest.mark.parametrize(
    "settings",
    [
        {"epsilon": -1.0},
        {"epsilon": {"words": float("nan")}},
        {"epsilon": 1e300},
        {"epsilon": None},
        {"weight": float("inf")},
    ],
)
def test_invalid_sizes_are_refused(settings):
    with pytest.raises(ConfigurationError, match="Set both to numbers from 0"):
        AdversarialTraining("", **settings)


class Windows(TokenEmbedder):
    """Reads sentences in windows of two tokens, each a separate row, like encoders; a stand-in for a large one."""

    def __init__(self):
        super().__init__()
        self.pieces = torch.nn.Embedding(9, 3).double()

    def forward(self, tokens):
        return self.pieces(tokens.unflatten(1, (-1, 2)).flatten(0, 1)).unflatten(0, (len(tokens), -1)).flatten(1, 2)


@pytest.mark.parametrize("is_relative", [False, True])
def test_all_windows_of_a_sentence_are_changed_by_epsilon_together(monkeypatch, is_relative):
    embedder, tokens = Windows(), torch.arange(8).view(2, 4)
    monkeypatch.setattr(embedding_layer, "embedding_module", lambda embedder: embedder.pieces)
    layer = EmbeddingLayer(embedder, 0.5, is_relative)
    layer.record()
    clean = embedder(tokens)
    steepness = torch.rand(clean.shape, dtype=torch.float64)
    layer.perturb(torch.autograd.grad((clean * steepness).sum(), layer.outputs))
    change = embedder(tokens) - clean
    length = 0.5 * (clean.flatten(1).norm(dim=1) if is_relative else torch.ones(2, dtype=torch.float64))
    expected = steepness * (length / steepness.flatten(1).norm(dim=1)).view(2, 1, 1)
    assert_close(change, expected)


def worker(rank, folder):
    """One of two processes that train together, on every other sentence."""
    torch.set_num_threads(1)
    model, instances = model_and_instances("label_aware_crf", 16)
    # Through a file: a port might be in use.
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=2)
    ddp = TorchDdpAccelerator(local_rank=rank, world_size=2, cuda_device=-1)
    model, wrapped = ddp.wrap_model(model)
    callbacks = [AdversarialTraining("", epsilon=EPSILONS)]
    settings = {
        "distributed": True,
        "local_rank": rank,
        "world_size": 2,
        "ddp_wrapped_model": wrapped,
        "cuda_device": -1,
    }
    trainer_of(model, instances[rank::2], callbacks, **settings).train()
    torch.save({"weights": parameters(model), "zeta": model.head.zeta}, f"{folder}/{rank}.pt")
    torch.distributed.destroy_process_group()


def test_two_processes_train_as_one_that_averages_their_gradients(tmp_path):
    torch.multiprocessing.spawn(worker, (str(tmp_path),), nprocs=2)
    first, second = (torch.load(tmp_path / f"{rank}.pt") for rank in (0, 1))
    assert_close(first, second, rtol=0, atol=0)
    model, instances = model_and_instances("label_aware_crf", 16)
    # Counted over both halves of the data.
    model.head.zeta.copy_(first["zeta"])
    batches = [[tensors(model, instances[rank::2][at : at + 4]) for rank in (0, 1)] for at in (0, 4)]
    # The mean over processes equals that over two batches of one process.
    steps_by_hand(model, batches, EPSILONS, 1.0)
    assert_close(first["weights"], parameters(model))
