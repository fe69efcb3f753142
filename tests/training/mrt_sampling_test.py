"""Minimum risk training and scheduled sampling in the trainer: start, resuming, sharing and accumulation."""

import copy
import math
from pathlib import Path

import pytest
import torch
from allennlp.commands.train import TrainModel, train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model
from allennlp.training.callbacks import TrainerCallback
from torch.testing import assert_close

from ner_zoo.losses.minimum_risk import MinimumRisk
from ner_zoo.training.scheduled_sampling import ScheduledSampling

CORPUS = Path(__file__).parents[2] / "fixtures" / "conll04"
MODEL = {
    "type": "joint_relation",
    "embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 8}}},
    "encoder": {"type": "lstm", "input_size": 8, "hidden_size": 6, "bidirectional": True},
    "head": "softmax",
    "loss": "nll",
    "relation_head": {"hidden_dim": 8, "filters": 3},
    "dropout": 0.1,
}


def sampling(start_epoch=0, cost="both", mu=0.5, **settings):
    risk = {"type": "minimum_risk", "cost": cost, "alpha": 1.0, "mu": mu, **settings}
    return {"type": "mrt_sampling", "start_epoch": start_epoch, "risk": risk}


class Watched:
    """The record of each training batch: the epoch, whether the risk was added, and the probability of gold tags."""

    seen: list = []
    stop_in: int = -1


class Stopped(Exception):
    pass


@TrainerCallback.register("watch_joint_training")
class Watch(TrainerCallback):
    def on_start(self, trainer, is_primary=True, **kwargs):
        self.risks = 0
        forward = MinimumRisk.risk_of

        def risk_of(risk, outcomes):
            self.risks += 1
            return forward(risk, outcomes)

        self.restore = forward
        MinimumRisk.risk_of = risk_of

    def on_batch(self, trainer, batch_inputs, batch_outputs, batch_metrics, epoch, batch_number, is_training, **kwargs):
        if is_training:
            Watched.seen.append((epoch, self.risks, getattr(trainer.model.loss, "gold_probability", None)))
            self.risks = 0
            if epoch == Watched.stop_in:
                raise Stopped

    def on_end(self, trainer, **kwargs):
        MinimumRisk.risk_of = self.restore


def experiment(callbacks, epochs=3, **trainer):
    return {
        "dataset_reader": {"type": "conll04", "token_indexers": {"tokens": {"type": "single_id"}}},
        "train_data_path": str(CORPUS / "train.txt"),
        "validation_data_path": str(CORPUS / "dev.txt"),
        "model": copy.deepcopy(MODEL),
        "data_loader": {"batch_size": 2, "shuffle": True},
        "trainer": {
            "num_epochs": epochs,
            "optimizer": {"type": "adam", "lr": 0.01},
            "validation_metric": "+relation_f1",
            "callbacks": [*callbacks, "watch_joint_training"],
            "cuda_device": -1,
            **trainer,
        },
    }


def run(folder, callbacks, epochs=3, recover=False, stop_in=-1, **trainer):
    """stop_in : the epoch in which the run is interrupted."""
    Watched.seen, Watched.stop_in = [], stop_in
    model = train_model(Params(experiment(callbacks, epochs, **trainer)), str(folder), recover=recover)
    return model, Watched.seen


def test_the_risk_is_added_from_its_epoch_on_and_only_in_training(tmp_path):
    _, seen = run(tmp_path / "run", [sampling(2)])
    assert {(epoch, risks) for epoch, risks, _ in seen} == {(0, 0), (1, 0), (2, 1)}


def test_a_resumed_run_has_the_right_epoch(tmp_path):
    callbacks = [sampling(3), {"type": "scheduled_sampling", "k": 2}]
    with pytest.raises(Stopped):
        run(tmp_path / "run", callbacks, epochs=4, stop_in=2)
    _, seen = run(tmp_path / "run", callbacks, epochs=4, recover=True)
    assert {(epoch, risks) for epoch, risks, _ in seen} == {(2, 0), (3, 1)}
    for epoch, _, probability in seen:
        assert probability == 2 / (2 + math.exp(epoch / 2))


def test_a_resumed_run_ends_where_one_that_was_not_stopped_ends(tmp_path):
    callbacks = [sampling(1), {"type": "scheduled_sampling", "k": 2}]
    whole, _ = run(tmp_path / "whole", callbacks, epochs=3)
    with pytest.raises(Stopped):
        run(tmp_path / "parts", callbacks, epochs=3, stop_in=2)
    resumed, _ = run(tmp_path / "parts", callbacks, epochs=3, recover=True)
    for (name, one), (_, other) in zip(whole.named_parameters(), resumed.named_parameters()):
        assert_close(one, other, msg=name)


@pytest.mark.parametrize("has_dropout", [True, False])
def test_it_composes_with_adversarial_training_and_accumulation(tmp_path, has_dropout):
    callbacks = [sampling() | {"draw_with_dropout": has_dropout}, {"type": "adversarial_training", "epsilon": 0.1}]
    _, seen = run(tmp_path / "run", callbacks, epochs=1, num_gradient_accumulation_steps=2)
    assert {risks for _, risks, _ in seen} <= {2, 4}  # two passes over each of one or two batches


def test_the_encoder_runs_once_however_many_samples_there_are(tmp_path):
    settings = experiment([sampling(num_samples=8)], epochs=1)
    made = TrainModel.from_params(params=Params(settings), serialization_dir=str(tmp_path), local_rank=0)
    model, calls = made.model.train(), []
    made.trainer._callbacks[0].on_start(made.trainer)
    for part in (model.encoder, model.embedder):
        part.register_forward_hook(lambda *_: calls.append(1))
    model(**next(iter(made.trainer.data_loader)))
    assert len(calls) == 2


def test_outputs_can_be_drawn_without_dropout_while_everything_else_has_it(tmp_path, monkeypatch):
    callback = sampling(start_epoch=1) | {"draw_with_dropout": False}
    settings = experiment([callback], epochs=2)
    settings["model"]["dropout"] = 0.5
    made = TrainModel.from_params(params=Params(settings), serialization_dir=str(tmp_path), local_rank=0)
    model, drawn, learned_from = made.model.train(), [], []
    draw, forward = MinimumRisk.draw, MinimumRisk.forward

    def watched_draw(risk, joint, gold):
        drawn.append((joint.entities.scores, draw(risk, joint, gold)))
        return drawn[-1][1]

    def watched_forward(risk, joint, gold):
        learned_from.append((joint.entities.scores, risk.drawn))
        return forward(risk, joint, gold)

    monkeypatch.setattr(MinimumRisk, "draw", watched_draw)
    monkeypatch.setattr(MinimumRisk, "forward", watched_forward)
    made.trainer._callbacks[0].on_start(made.trainer)
    batch = next(iter(made.trainer.data_loader))
    model(**batch)
    assert drawn == []
    made.trainer._epochs_completed = 1
    model(**batch)["loss"].backward()
    assert len(drawn) == len(learned_from) == 1 and learned_from[0][1] is drawn[0][1]
    assert all(module.training for module in model.modules())
    assert not drawn[0][0].requires_grad and learned_from[0][0].requires_grad
    dropped = learned_from[0][0].detach()
    assert not torch.allclose(drawn[0][0], dropped)
    model(**batch)
    assert_close(drawn[0][0], drawn[1][0])
    assert not torch.allclose(dropped, learned_from[1][0])


def test_a_tagger_draws_without_dropout_too(tmp_path, monkeypatch):
    draw, drawn = MinimumRisk.draw, []
    monkeypatch.setattr(MinimumRisk, "draw", lambda *arguments: drawn.append(draw(*arguments)) or drawn[-1])
    settings = experiment([sampling(cost="entities", mu=1.0) | {"draw_with_dropout": False}], epochs=2)
    settings["model"] = {name: MODEL[name] for name in ("embedder", "encoder", "loss")} | {"dropout": 0.5}
    settings["model"].update(type="tagger", head="crf")
    settings["dataset_reader"]["view"] = "tags"
    settings["trainer"]["validation_metric"] = "+entity_f1"
    Watched.seen, Watched.stop_in = [], -1
    train_model(Params(settings), str(tmp_path / "run"))
    assert {risks for _, risks, _ in Watched.seen} == {1}
    assert len(drawn) == len(Watched.seen) and all(one.relations is None for one in drawn)


def test_a_tagger_has_the_cost_of_entities_added_to_its_loss(tmp_path):
    settings = experiment([sampling(cost="entities", mu=1.0)], epochs=1)
    settings["model"] = {name: MODEL[name] for name in ("embedder", "encoder", "loss", "dropout")}
    settings["model"].update(type="tagger", head="crf")
    settings["dataset_reader"]["view"] = "tags"
    settings["trainer"]["validation_metric"] = "+entity_f1"
    Watched.seen, Watched.stop_in = [], -1
    train_model(Params(copy.deepcopy(settings)), str(tmp_path / "run"))
    assert {risks for _, risks, _ in Watched.seen} == {1}
    settings["trainer"]["callbacks"][0] = sampling(50, mu=1.0)
    with pytest.raises(ConfigurationError, match="Use the cost `entities`"):
        train_model(Params(settings), str(tmp_path / "refused"))


def test_the_meaning_of_tags_comes_from_the_model(tmp_path):
    settings = experiment([sampling()])
    settings["model"]["scheme"] = "BIO"
    made = TrainModel.from_params(params=Params(settings), serialization_dir=str(tmp_path), local_rank=0)
    risk = made.trainer._callbacks[0]._risk_for(made.model)
    assert risk.rules is made.model.labels.rules


def test_a_risk_that_samples_nothing_is_refused(tmp_path):
    settings = experiment([{"type": "mrt_sampling", "risk": "nll"}])
    with pytest.raises(ConfigurationError, match="NegativeLogLikelihood, which does not sample"):
        train_model(Params(settings), str(tmp_path))


def test_a_trained_model_can_be_fine_tuned_from_its_weights_or_its_archive(tmp_path):
    plain, _ = run(tmp_path / "plain", [], epochs=1)
    settings = experiment([sampling()], epochs=1)
    pretrained = {"type": "pretrained", "weights_file_path": str(tmp_path / "plain" / "best.th")}
    settings["model"]["initializer"] = {"regexes": [[".*", pretrained]]}
    archived = experiment([sampling()], epochs=1)
    archived["model"] = {"type": "from_archive", "archive_file": str(tmp_path / "plain" / "model.tar.gz")}
    archived["vocabulary"] = {"type": "from_files", "directory": str(tmp_path / "plain" / "vocabulary")}
    for name, config in (("weights", settings), ("archive", archived)):
        made = TrainModel.from_params(params=Params(config), serialization_dir=str(tmp_path / name), local_rank=0)
        for key, value in plain.state_dict().items():
            assert_close(made.model.state_dict()[key], value)


def test_scheduled_sampling_is_refused_where_relations_do_not_see_tags(tmp_path):
    class Other(Model):
        pass

    trainer = type("Trainer", (), {"model": Other.__new__(Other)})()
    torch.nn.Module.__init__(trainer.model)
    with pytest.raises(ConfigurationError, match="requires the model joint_relation"):
        ScheduledSampling(str(tmp_path)).on_start(trainer)


def test_the_probability_of_gold_tags_falls_from_nearly_one_to_zero(tmp_path):
    schedule = ScheduledSampling(str(tmp_path), k=10)
    assert schedule.probability(0) == 10 / 11
    assert schedule.probability(10) == 10 / (10 + math.e)
    assert schedule.probability(10**6) == 0.0


@pytest.mark.filterwarnings("ignore")
def test_two_processes_finish_though_one_has_no_pairs_and_the_other_has(tmp_path):
    # Sentences go to the processes in turn: one gets those without a relation or without any entity.
    with_pair = "0\tAda\tB-Peop\t['Live_In']\t[2]\n1\tin\tO\t['N']\t[1]\n2\tRome\tB-Loc\t['N']\t[2]\n"
    without = ["0\tRain\tO\t['N']\t[0]\n", "0\tAda\tB-Peop\t['N']\t[0]\n1\tsleeps\tO\t['N']\t[1]\n"]
    text = "".join(f"#doc {i}\n{with_pair}#doc {i + 1}\n{without[i // 2 % 2]}" for i in range(0, 8, 2))
    (tmp_path / "train.txt").write_text(text)
    settings = experiment([sampling(num_samples=30), {"type": "scheduled_sampling"}], epochs=1)
    settings["trainer"]["callbacks"].remove("watch_joint_training")
    del settings["trainer"]["cuda_device"]
    settings["train_data_path"] = settings["validation_data_path"] = str(tmp_path / "train.txt")
    settings["distributed"] = {"cuda_devices": [-1, -1]}
    settings["data_loader"] = {"batch_size": 1, "shuffle": False}
    train_model(Params(settings), str(tmp_path / "run"))
    assert (tmp_path / "run" / "model.tar.gz").exists()
