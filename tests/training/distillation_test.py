import json
import tarfile

import pytest
import torch
from allennlp.commands.train import TrainModel, train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import prepare_environment
from allennlp.models import load_archive
from torch.testing import assert_close

from ner_zoo.training.distillation import Distillation, beliefs
from tests.encoder_experiments import experiment
from tests.trained_models import tagger_archive  # noqa: F401

STUDENT = "use.demo + use.scheme('BIOUL') + use.tagger + use.crf + use.nll + use.words(dim=8) + use.bilstm(6)"


def config(teacher, options="", epochs=1, whole=True):
    made = experiment(f"use.distilled_from('{teacher}'{options})", system=STUDENT, epochs=epochs)
    if whole:
        del made["dataset_reader"]["max_instances"]
    return made


def built(teacher, folder, options=""):
    params = Params(config(teacher, options))
    prepare_environment(params)
    made = TrainModel.from_params(params=params, serialization_dir=str(folder), local_rank=0)
    (callback,) = [one for one in made.trainer._callbacks if isinstance(one, Distillation)]
    callback.on_start(made.trainer)
    return made.trainer, callback


def divergence(student, teacher):
    """The difference between the probabilities of two archives on the development data."""
    read = load_archive(student)
    sentences = [one["metadata"].metadata for one in read.dataset_reader.read("fixtures/demo/dev.jsonl")]
    ours = dict(beliefs(read, sentences, 1.0, "."))
    total = 0.0
    for tokens, marginals in beliefs(load_archive(teacher), sentences, 1.0, "."):
        total += float(torch.nn.functional.kl_div(ours[tokens].float().clamp(1e-6).log(), marginals.float()))
    return total


@pytest.mark.filterwarnings("ignore")
def test_a_student_comes_nearer_to_its_teacher_and_predicts_alone(tagger_archive, tmp_path):  # noqa: F811
    train_model(Params(config(tagger_archive, ", weight=1.0", epochs=2)), str(tmp_path / "taught"))
    alone = config(tagger_archive, epochs=2)
    alone["trainer"]["callbacks"] = []
    train_model(Params(alone), str(tmp_path / "alone"))
    taught, own = (divergence(tmp_path / name / "model.tar.gz", tagger_archive) for name in ("taught", "alone"))
    assert taught < own
    stored = load_archive(tmp_path / "taught" / "model.tar.gz").model
    assert not any("teacher" in name for name in stored.state_dict()) and "forward" not in vars(stored.loss)


def test_the_loss_is_the_weighted_sum_and_unlabelled_text_has_the_teachers_part_alone(tagger_archive, tmp_path):  # noqa: F811
    (tmp_path / "texts.txt").write_text("Mirel saw a lamp in Aubray. It was old.\n\nNobody knew.\n")
    trainer, callback = built(tagger_archive, tmp_path / "run", f", weight=0.3, unlabelled=['{tmp_path}/texts.txt']")
    instances = trainer.data_loader._instances
    assert [" ".join(map(str, one["text"].tokens)) for one in instances[-3:]] == [
        "Mirel saw a lamp in Aubray .",
        "It was old .",
        "Nobody knew .",
    ]
    model, seen = trainer.model.train(), {}
    original = callback.loss
    callback.loss = lambda own, structure, gold: (
        seen.update(structure=structure, gold=gold) or original(own, structure, gold)
    )
    trainer.data_loader._instances[:] = [instances[0], *instances[-2:]]
    (batch,) = trainer.data_loader
    loss = model(**batch)["loss"]
    structure, gold = seen["structure"], seen["gold"]
    is_labelled = ((gold >= 0) & structure.mask).any(1)
    assert is_labelled.sum() == 1
    log_p = structure.marginals().log()
    each = []
    for row, sentence in enumerate(batch["metadata"]):
        wanted = callback.beliefs[sentence.tokens].float()
        taught = -(wanted * log_p[row, : len(wanted)].clamp(min=-27)).sum()
        nll = -structure.log_likelihood(gold.clamp(min=0))[row]
        each.append(0.3 * taught + 0.7 * nll if is_labelled[row] else taught)
    assert_close(loss, torch.stack(each).mean(), rtol=1e-3, atol=1e-3)
    loss.backward()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)
    assert model.eval()(**batch)["loss"].isfinite()


def test_a_teacher_with_other_tags_is_refused_by_name(tagger_archive, tmp_path):  # noqa: F811
    made = config(tagger_archive)
    made["dataset_reader"]["view"] = {"type": "tags", "scheme": "BIO"}
    with pytest.raises(ConfigurationError, match="different tags.*only in the teacher: L-LOC.*same scheme"):
        train_model(Params(made), str(tmp_path / "run"))


def test_a_missing_teacher_is_reported(tmp_path):
    with pytest.raises(ConfigurationError, match="no archive"):
        train_model(Params(config(tmp_path / "teacher.tar.gz", whole=False)), str(tmp_path / "run"))


def test_a_strangers_teacher_is_opened_by_the_rules_for_archives(tagger_archive, tmp_path):  # noqa: F811
    with tarfile.open(tagger_archive) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    path = tmp_path / "unpacked" / "config.json"
    made = json.loads(path.read_text())
    made["model"]["embedder"]["type"] = "os.system"
    path.write_text(json.dumps(made))
    with pytest.raises(ConfigurationError, match="refused.*os.system"):
        train_model(Params(config(tmp_path / "unpacked", whole=False)), str(tmp_path / "run"))


@pytest.mark.parametrize("options", [{"weight": 0.0}, {"weight": 1.5}, {"temperature": 0.0}])
def test_weights_and_temperatures_out_of_range_are_refused(options):
    with pytest.raises(ConfigurationError, match="weight above 0 and up to 1"):
        Distillation("run", "teacher.tar.gz", **options)
