"""Small models of the bundled corpus, each trained once for all tests and test processes."""

import json
from pathlib import Path

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from filelock import FileLock

ROOT = Path(__file__).parent.parent
TAGGER = "use.tagger + use.words(dim=32) + use.characters(filters=10) + use.bilstm(32, dropout=0.2) + use.crf + use.nll"
JOINT = (
    "use.joint_relation() + use.words(dim=32) + use.characters(50, [2, 3], 25, highway=0, activation='relu')"
    " + use.bilstm(40, dropout=0.2) + use.crf + use.nll"
)


def trained(factory: pytest.TempPathFactory, name: str, parts: str, view: str, epochs: int) -> Path:
    """The archive of a model, trained by the first process that needs it."""
    shared = factory.getbasetemp()
    if shared.name.startswith("popen"):
        shared = shared.parent
    with FileLock(shared / f"{name}.lock"):
        folder = shared / name
        if not (folder / "model.tar.gz").exists():
            config = shared / f"{name}.jsonnet"
            config.write_text(
                "local experiment = import 'ner_zoo/experiment.libsonnet';\n"
                "local use = import 'ner_zoo/use.libsonnet';\n"
                f"experiment + use.demo + {parts} + {{ dataset_reader+: {{ view: '{view}' }},\n"
                f"  train_data_path: '{ROOT}/fixtures/demo/train.jsonl',\n"
                f"  validation_data_path: '{ROOT}/fixtures/demo/dev.jsonl',\n"
                f"  trainer+: {{ num_epochs: {epochs}, optimizer: {{ type: 'adam', lr: 0.01 }} }} }}\n"
            )
            params = Params.from_file(str(config))
            train_model(params, str(folder), force=True)
        return folder / "model.tar.gz"


@pytest.fixture(scope="session")
def tagger_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CRF tagger for LOC, ORG, PER and PROD."""
    return trained(tmp_path_factory, "demo_tagger", TAGGER, "tags", epochs=5)


@pytest.fixture(scope="session")
def joint_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A joint model that also has lives_in, makes and works_for."""
    return trained(tmp_path_factory, "demo_joint", JOINT, "joint", epochs=6)


def demo_texts() -> list[str]:
    """The sentences of the bundled test file, as text."""
    lines = (ROOT / "fixtures" / "demo" / "test.jsonl").read_text(encoding="utf-8").splitlines()
    return [" ".join(json.loads(line)["tokens"]) for line in lines]
