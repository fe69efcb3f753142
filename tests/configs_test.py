"""Every experiment in training_config/ builds and takes a step on the fixtures, which are laid out like the corpora."""

import gzip
import json
import logging
import random
import re
import shutil
from pathlib import Path

import pytest
import torch
from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import prepare_environment
from allennlp.models import archive_model
from transformers import AutoConfig, AutoModel

from tests.elmo_files import write_elmo

ELMO = "elmo_2x4096_512_2048cnn_2xhighway_5.5B"
ROOT = Path(__file__).parents[1]
CONFIGS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "training_config").rglob("*.jsonnet"))
VECTORS = {
    "glove.6B.50d.pruned.txt.gz": 50,
    "glove.wink.100d.pruned.txt.gz": 100,
    "chinese_chars.100d.tsv": 100,
    "russian.txt.gz": 300,
    "crawl-300d-2M.vec": 300,
    **dict.fromkeys(
        (
            f"{corpus}.txt.gz"
            for corpus in (
                "anercorp",
                "cadec",
                "genia",
                "germeval14",
                "harem",
                "litbank",
                "msra",
                "nerel",
            )
        ),
        100,
    ),
}


@pytest.fixture(scope="session")
def corpora(tmp_path_factory):
    """The fixtures with word vectors, laid out like a folder of corpora."""
    folder = tmp_path_factory.mktemp("corpora")
    for corpus in (ROOT / "fixtures").iterdir():
        if corpus.is_dir() and corpus.name != "vectors":
            (folder / corpus.name).symlink_to(corpus)
    for name in ("m3e-small", "english-cased", "chinese"):
        write_encoder(folder / "encoders" / name)
    (folder / "vectors").mkdir()
    draw = random.Random(0)
    for name, dim in VECTORS.items():
        separator = "\t" if name.endswith(".tsv") else " "
        lines = [
            separator.join([word] + [f"{draw.gauss(0, 1):.3f}" for _ in range(dim)])
            for word in ("the", "in", "a", "京")
        ]
        opened = gzip.open if name.endswith(".gz") else open
        with opened(folder / "vectors" / name, "wt", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    with gzip.open(folder / "vectors" / "twitter_clusters.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("the\t36352\nin\t36608\n")
    write_elmo(folder / "vectors", ELMO, projection=512)
    (folder / "text").mkdir()
    with gzip.open(folder / "text" / "tweets.txt.gz", "wt", encoding="utf-8") as file:
        file.write("the lamp in Aubray is a wonder\n")
    return folder


def write_encoder(folder):
    """The tiny encoder of the fixtures with as many positions as a large one."""
    shutil.copytree(ROOT / "fixtures" / "tiny_encoder", folder)
    AutoModel.from_config(AutoConfig.from_pretrained(folder, max_position_embeddings=512)).save_pretrained(folder)


def build(config, corpora, folder, monkeypatch, overrides=""):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("NER_ZOO_DATA", str(corpora))
    logging.disable(logging.WARNING)
    try:
        params = with_runs(Params.from_file(config, overrides), config, corpora, folder, monkeypatch)
        prepare_environment(params)
        return TrainModel.from_params(params=params, serialization_dir=str(folder), local_rank=0)
    finally:
        logging.disable(logging.NOTSET)


def with_runs(params, config, corpora, folder, monkeypatch):
    """Replaces the run of another config, as in `allennlp compare`, by the folder of such a run."""
    text = json.dumps(params.as_dict(quiet=True))
    for name in set(re.findall(r"\{run:(\w+)\}", text)):
        run = folder / name
        run.mkdir()
        model = build(str(Path(config).with_stem(name)), corpora, run, monkeypatch).model
        torch.save(model.state_dict(), run / "best.th")
        Params.from_file(str(Path(config).with_stem(name))).to_file(str(run / "config.json"))
        archive_model(run)
        text = text.replace(f"{{run:{name}}}", str(run))
    return Params(json.loads(text))


@pytest.mark.parametrize("config", CONFIGS)
def test_a_config_builds_and_its_model_has_a_loss(config, corpora, tmp_path, monkeypatch):
    experiment = build(config, corpora, tmp_path, monkeypatch)
    trainer = experiment.trainer
    for callback in trainer._callbacks:
        callback.on_start(trainer)
    trainer.model.train()
    loss = trainer.batch_outputs(next(iter(trainer.data_loader)), for_training=True)["loss"]
    assert loss.requires_grad and loss.isfinite()


def test_an_unknown_key_of_the_trainer_is_refused(corpora, tmp_path, monkeypatch):
    with pytest.raises(ConfigurationError, match="num_epoch"):
        build("training_config/demo.jsonnet", corpora, tmp_path, monkeypatch, '{"trainer": {"num_epoch": 3}}')
