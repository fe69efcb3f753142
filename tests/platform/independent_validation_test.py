"""Two real processes validate; together they must count what one process counts alone."""

import json
import subprocess
import sys
from pathlib import Path

from allennlp.data import Batch
from allennlp.models import load_archive

ROOT = Path(__file__).parents[2]


def test_two_processes_count_what_one_counts(tmp_path):
    # 33 sentences in batches of 8: one process has three batches, the other only two.
    dev = tmp_path / "dev.jsonl"
    dev.write_text("".join((ROOT / "fixtures/demo/dev.jsonl").read_text().splitlines(keepends=True)[:33]))
    changes = {
        "validation_data_path": str(dev),
        "validation_data_loader.batch_size": 8,
        "dataset_reader.max_instances": 120,
        "trainer.num_epochs": 3,
        "trainer.optimizer.lr": 0.02,
        "distributed": {"cuda_devices": [-1, -1]},
    }
    out = tmp_path / "out"
    command = [sys.executable, "-m", "allennlp", "train", "training_config/demo.jsonnet", "-s", str(out)]
    run = subprocess.run([*command, "-o", json.dumps(changes)], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    archive = load_archive(str(out / "model.tar.gz"))
    instances = list(archive.validation_dataset_reader.read(str(dev)))
    archive.model.eval()
    batch = Batch(instances)
    batch.index_instances(archive.model.vocab)
    archive.model(**batch.as_tensor_dict())
    alone = archive.model.get_metrics(reset=True)
    together = json.loads((out / "metrics.json").read_text())
    assert len(instances) == 33 and alone["entity_f1"] > 0
    for name, value in alone.items():
        assert together[f"best_validation_{name}"] == value
