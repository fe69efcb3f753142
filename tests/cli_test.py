"""The real `allennlp` command, in separate processes, in a folder outside the repository."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

Experiment = dict[str, Any]

COMMAND = str(Path(sys.executable).with_name("allennlp"))
# Imported with --include-package: delays each batch as set in the environment, so that there is time to kill the run.
SLOW_MODULE = """
import os
import time
from allennlp.training import TrainerCallback

@TrainerCallback.register("slow")
class Slow(TrainerCallback):
    def on_batch(self, *_, **__):
        time.sleep(float(os.environ.get("SECONDS_PER_BATCH", "0")))
"""


def run(folder: Path, *command: str, **environment: str) -> str:
    """Runs a command to its end, and returns its output."""
    finished = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, text=True, capture_output=True, timeout=600
    )
    assert finished.returncode == 0, finished.stderr[-4000:]
    return finished.stdout


def train(folder: Path, experiment: Experiment, name: str) -> list[str]:
    """The command that trains an experiment in a subfolder of `folder`."""
    (folder / "slow.py").write_text(SLOW_MODULE)
    config = folder / f"{name}.json"
    config.write_text(json.dumps(experiment))
    return [COMMAND, "train", str(config), "-s", name, "--include-package", "slow"]


def kill_after(folder: Path, command: list[str], checkpoint: Path, by: int = signal.SIGKILL) -> int:
    """
    Starts a run, sends a signal to all of its processes as soon as the first checkpoint exists, and returns its status.
    """
    environment = {**os.environ, "SECONDS_PER_BATCH": "0.5"}
    with open(folder / "killed.log", "w") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
            # A shell that starts the tests in the background has them, and what they start, ignore Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        try:
            deadline = time.monotonic() + 600
            while not checkpoint.exists() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
        finally:
            os.killpg(process.pid, by)
            status = process.wait(timeout=60)
    assert checkpoint.exists(), (folder / "killed.log").read_text()[-4000:]
    assert not (checkpoint.parent / "metrics.json").exists()
    return status


def metrics(run: Path) -> Experiment:
    """The results of a run, without time and memory."""
    results = json.loads((run / "metrics.json").read_text())
    return {key: value for key, value in results.items() if "duration" not in key and "memory" not in key}


def assert_recovers(folder: Path, experiment: Experiment, checkpoint: str) -> None:
    experiment["trainer"].update(callbacks=["slow"], checkpointer={"save_every_num_batches": 2})
    run(folder, *train(folder, experiment, "whole"))
    command = train(folder, experiment, "killed")
    kill_after(folder, command, folder / "killed" / checkpoint)
    run(folder, *command, "--recover")
    assert metrics(folder / "killed") == metrics(folder / "whole")


def test_a_model_is_trained_evaluated_and_used(stock_experiment: Experiment, corpus: Path, tmp_path: Path) -> None:
    stock_experiment["data_loader"].update(num_workers=2, max_instances_in_memory=10)
    run(tmp_path, *train(tmp_path, stock_experiment, "run"))
    archive = "run/model.tar.gz"
    assert metrics(tmp_path / "run")["training_loss"] > 0

    run(
        tmp_path,
        sys.executable,
        "-m",
        "allennlp",
        "evaluate",
        archive,
        str(corpus / "dev.txt"),
        "--output-file",
        "scores.json",
    )
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["f1-measure-overall"] == pytest.approx(
        metrics(tmp_path / "run")["best_validation_f1-measure-overall"]
    )

    # Not with the stock predictor, which downloads a spaCy model.
    predictor = ["--use-dataset-reader", "--predictor", "allennlp.predictors.predictor.Predictor"]
    run(
        tmp_path,
        COMMAND,
        "predict",
        archive,
        str(corpus / "dev.txt"),
        *predictor,
        "--output-file",
        "tags.jsonl",
        "--silent",
    )
    lines = [json.loads(line) for line in (tmp_path / "tags.jsonl").read_text().splitlines()]
    sentences = (corpus / "dev.txt").read_text().strip().split("\n\n")
    assert [len(line["tags"]) for line in lines] == [len(sentence.splitlines()) for sentence in sentences]


def test_a_killed_run_gives_the_same_result_as_an_uninterrupted_one(
    stock_experiment: Experiment, tmp_path: Path
) -> None:
    assert_recovers(tmp_path, stock_experiment, "training_state_e1_b4.th")


def test_ctrl_c_leaves_a_run_that_continues(stock_experiment: Experiment, tmp_path: Path) -> None:
    stock_experiment["trainer"].update(callbacks=["slow"], checkpointer={"save_every_num_batches": 2})
    run(tmp_path, *train(tmp_path, stock_experiment, "whole"))
    command = train(tmp_path, stock_experiment, "stopped")
    status = kill_after(tmp_path, command, tmp_path / "stopped" / "training_state_e0_b4.th", signal.SIGINT)
    message = (tmp_path / "killed.log").read_text()
    assert status == 130 and "Interrupted. To resume from the last checkpoint" in message
    assert "Traceback" not in message
    run(tmp_path, *command, "--recover")
    # Bitwise equality is not tested here: a difference of 1e-7 was observed within the first epoch.
    assert metrics(tmp_path / "stopped") == pytest.approx(metrics(tmp_path / "whole"), rel=1e-5)


def test_a_killed_run_of_two_processes_gives_the_same_result_as_an_uninterrupted_one(
    stock_experiment: Experiment, tmp_path: Path
) -> None:
    stock_experiment["distributed"] = {"cuda_devices": [-1, -1]}
    # Fifteen sentences for each process. The F1 of the stock tagger cannot be summed over processes.
    stock_experiment["data_loader"]["batch_sampler"]["batch_size"] = 3
    encoder = {**stock_experiment["model"]["encoder"], "num_layers": 2, "dropout": 0.3}
    embedder = stock_experiment["model"]["text_field_embedder"]
    stock_experiment["model"] = {"type": "simple_tagger", "text_field_embedder": embedder, "encoder": encoder}
    stock_experiment["trainer"]["validation_metric"] = "+accuracy"
    assert_recovers(tmp_path, stock_experiment, "training_state_e1_b2.th")
    log = (tmp_path / "whole" / "out_worker1.log").read_text()
    assert "Process group of world size 2 initialized for distributed training in worker 1" in log


def test_an_error_is_reported_in_a_few_lines(stock_experiment: Experiment, tmp_path: Path) -> None:
    stock_experiment["trainer"]["patince"] = 3
    command = train(tmp_path, stock_experiment, "run")
    finished = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True)
    assert finished.returncode == 1
    assert "Error: In the config, trainer.patince is not known. Did you mean patience?" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert not (tmp_path / "run").exists()
