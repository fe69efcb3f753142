import json
import re
import tarfile
from pathlib import Path

from allennlp.commands.train import train_model
from allennlp.common import Params

from ner_zoo.training.model_card import statistics_of
from tests.trained_models import ROOT, joint_archive

__all__ = ["joint_archive"]


def test_training_writes_a_card_next_to_the_archive_and_into_it(joint_archive: Path) -> None:
    card = (joint_archive.parent / "MODEL_CARD.md").read_text()
    with tarfile.open(joint_archive) as archive:
        assert archive.extractfile("MODEL_CARD.md").read().decode() == card  # type: ignore[union-attr]
    card = re.sub(" +", " ", card)
    assert "| train | `" in card and "| 400 | 4,430 | 837 | 310 |" in card
    metrics = json.loads((joint_archive.parent / "metrics.json").read_text())
    assert f"{100 * metrics['best_validation_entity_f1/PER']:.2f}" in card
    assert "| relation | works_for |" in card and "pytorch_seed 13370" in card and "| torch |" in card
    assert "- Licence: not stated" in card and '"type": "joint_relation"' in card


def test_a_config_can_name_the_licence(tmp_path: Path) -> None:
    overrides = {
        "trainer.num_epochs": 1,
        "dataset_reader.view": "tags",
        "train_data_path": str(ROOT / "fixtures/demo/dev.jsonl"),
        "validation_data_path": str(ROOT / "fixtures/demo/dev.jsonl"),
        "trainer.callbacks": [{"type": "model_card", "licence": "CC-BY-4.0", "description": "Made-up names."}],
    }
    params = Params.from_file(str(ROOT / "training_config/demo.jsonnet"), json.dumps(overrides))
    train_model(params, str(tmp_path / "run"))
    card = (tmp_path / "run" / "MODEL_CARD.md").read_text()
    assert "- Licence: CC-BY-4.0" in card and "Made-up names." in card and card.count("- Licence") == 1


def test_validation_data_may_have_a_reader_of_their_own() -> None:
    config = {
        "dataset_reader": {"type": "text"},
        "train_data_path": str(ROOT / "fixtures/demo/texts.txt"),
        "validation_dataset_reader": {"type": "span_json"},
        "validation_data_path": str(ROOT / "fixtures/demo/dev.jsonl"),
    }
    splits = statistics_of(config)
    assert splits is not None and (splits["train"].sentences, splits["train"].entities) == (400, 0)
    assert splits["validation"].sentences == 100 and splits["validation"].entities == 212
    assert statistics_of({**config, "validation_dataset_reader": {"type": "sharded", "base_reader": "text"}}) is None
