"""The `allennlp` command reports user errors in a few lines."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from allennlp import commands
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader, DatasetReader

from ner_zoo.platform.errors import with_short_errors
from ner_zoo.platform.pretrained import pretrained_names

ROOT = Path(__file__).parents[2]
Experiment = dict[str, Any]
# Runs the command, expects it to fail, and returns its output.
Failing = Callable[..., str]


@pytest.fixture
def failing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Failing:
    # They are all imported already, but searching for them takes a second each time.
    monkeypatch.setattr("allennlp.commands.import_plugins", lambda: None)

    def run(*arguments: Any) -> str:
        monkeypatch.setattr(sys, "argv", ["allennlp", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            commands.main(prog="allennlp")
        assert caught.value.code == 1
        printed = capsys.readouterr().err
        message = printed[printed.index("\nError: ") + 1 :]
        assert len(message.splitlines()) < 40
        assert "Traceback" not in message
        return message

    return run


@pytest.fixture
def train(failing: Failing, tmp_path: Path) -> Callable[[Experiment], str]:
    def run(experiment: Experiment) -> str:
        config = tmp_path / "config.json"
        config.write_text(json.dumps(experiment))
        return failing("train", config, "-s", tmp_path / "run")

    return run


def test_an_unknown_key_is_reported_before_anything_is_read(
    train: Callable[..., str], stock_experiment: Experiment, tmp_path: Path
) -> None:
    stock_experiment["trainer"]["patince"] = 3
    stock_experiment["train_data_path"] = "nowhere"
    assert "trainer.patince is not known. Did you mean patience?" in train(stock_experiment)
    assert not (tmp_path / "run").exists()


def test_a_missing_corpus_is_reported_with_its_key(train: Callable[..., str], stock_experiment: Experiment) -> None:
    stock_experiment["train_data_path"] = "no/such/corpus.txt"
    message = train(stock_experiment)
    assert "no/such/corpus.txt" in message
    assert "the value of train_data_path" in message
    assert '-o \'{"train_data_path": "..."}\'' in message


def test_missing_vectors_are_reported_with_their_key(train: Callable[..., str], stock_experiment: Experiment) -> None:
    embedder = stock_experiment["model"]["text_field_embedder"]["token_embedders"]["tokens"]
    embedder["pretrained_file"] = "no/such/vectors.txt.gz"
    message = train(stock_experiment)
    assert "no/such/vectors.txt.gz" in message
    assert "the value of model.text_field_embedder.token_embedders.tokens.pretrained_file" in message


@pytest.mark.parametrize("key", ["train_data_path", "validation_data_path"])
def test_an_empty_corpus_is_reported(
    key: str, train: Callable[..., str], stock_experiment: Experiment, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("\n\n")
    stock_experiment[key] = str(empty)
    message = train(stock_experiment)
    assert f"{empty} contains nothing that Conll2003DatasetReader can read" in message


def test_an_empty_corpus_that_is_read_bit_by_bit_is_reported(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    options = {"batch_size": 2, "max_instances_in_memory": 2}
    reader = DatasetReader.by_name("conll2003")()
    loader = DataLoader.from_params(Params(options), reader=reader, data_path=str(tmp_path / "empty.txt"))
    with pytest.raises(ConfigurationError, match="empty.txt contains nothing"):
        list(loader.iter_instances())


def test_a_value_of_the_wrong_type_is_reported_with_its_place(
    train: Callable[..., str], stock_experiment: Experiment
) -> None:
    stock_experiment["model"]["encoder"]["hidden_size"] = "six"
    assert "at model.encoder: Expected hidden_size to be a int" in train(stock_experiment)


def test_a_value_that_a_constructor_refuses_is_reported(
    train: Callable[..., str], stock_experiment: Experiment
) -> None:
    stock_experiment["data_loader"] = {"shuffle": True}
    assert "batch_size is required" in train(stock_experiment)


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        ("joint", "model Tagger: unexpected entity_spans, relation_labels, missing none"),
        (
            {"type": "spans", "candidates": "gold"},
            "model Tagger: unexpected links, spans, spans_are_given, missing none",
        ),
    ],
)
def test_a_view_that_is_not_for_the_model_is_reported(
    view: Any, expected: str, failing: Failing, tmp_path: Path
) -> None:
    overrides = json.dumps({"dataset_reader.view": view, "dataset_reader.max_instances": 20})
    message = failing("train", ROOT / "training_config" / "demo.jsonnet", "-s", tmp_path / "run", "-o", overrides)
    assert expected in message
    assert "tags for tagger, spans for span, joint for joint_relation" in message


def test_a_missing_part_is_reported(train: Callable[..., str], stock_experiment: Experiment) -> None:
    del stock_experiment["model"]["encoder"]["input_size"]
    assert '"input_size" is required at location "model.encoder."' in train(stock_experiment)


def test_a_folder_that_is_in_use_is_reported(
    train: Callable[..., str], stock_experiment: Experiment, tmp_path: Path
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    message = train(stock_experiment)
    assert "already exists" in message
    assert "resume its run with --recover, or delete it and start over with --force" in message
    assert (tmp_path / "run" / "notes.txt").exists()


@pytest.mark.parametrize(
    ("jsonnet", "expected"),
    [
        ("{ a: 1, b: }", "STATIC ERROR"),
        ("{ a: error 'give me a corpus' }", "give me a corpus"),
        ("{ a: std.extVar('NO_SUCH_VARIABLE') }", "NO_SUCH_VARIABLE"),
        ("import 'no_such_part.libsonnet'", "no_such_part.libsonnet"),
    ],
)
def test_a_config_that_does_not_evaluate_is_reported(
    jsonnet: str, expected: str, failing: Failing, tmp_path: Path
) -> None:
    config = tmp_path / "broken.jsonnet"
    config.write_text(jsonnet)
    message = failing("train", config, "-s", tmp_path / "run")
    assert expected in message
    assert str(config) in message


def test_overrides_that_do_not_evaluate_are_reported(failing: Failing, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    message = failing("train", tmp_path / "config.json", "-s", tmp_path / "run", "-o", "{trainer: }")
    assert "-o '{trainer: }' is not a JSON object: " in message and "STATIC ERROR" not in message


@pytest.mark.parametrize("given", ["trainer.num_epochs=5", "5", "'hinge'"])
def test_overrides_that_are_not_an_object_are_reported(given: str, failing: Failing, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    message = failing("train", tmp_path / "config.json", "-s", tmp_path / "run", "-o", given)
    assert f"Error: -o '{given}' is not a JSON object" in message
    assert '-o \'{"trainer.num_epochs": 5}\', or parts, -o "use.hinge"' in message


def test_an_override_of_what_is_not_in_the_config_is_reported(failing: Failing, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    message = failing("train", tmp_path / "config.json", "-s", tmp_path / "run", "-o", '{"trainer.lr": 1}')
    assert "with -o '{\"trainer.lr\": 1}' cannot be evaluated" in message
    assert "unused keys: ['trainer.lr']" in message


def test_a_misspelt_part_is_reported_with_the_nearest(failing: Failing, tmp_path: Path) -> None:
    config = tmp_path / "my.jsonnet"
    imports = "local experiment = import 'ner_zoo/experiment.libsonnet'; local use = import 'ner_zoo/use.libsonnet';\n"
    config.write_text(f"{imports} experiment + use.demo + use.tager + use.nll")
    message = failing("train", config, "-s", tmp_path / "run")
    assert message == f"Error: The config {config} uses use.tager, which does not exist. Did you mean use.tagger?\n"


def test_a_missing_field_of_another_object_is_told_as_jsonnet_does(failing: Failing, tmp_path: Path) -> None:
    config = tmp_path / "my.jsonnet"
    config.write_text("local mine = {}; { x: mine.tager }")
    message = failing("train", config, "-s", tmp_path / "run")
    assert "field does not exist: tager" in message and "use." not in message


def test_a_misspelt_part_in_overrides_is_reported_with_the_nearest(failing: Failing, tmp_path: Path) -> None:
    config = ROOT / "training_config" / "demo.jsonnet"
    message = failing("train", config, "-s", tmp_path / "run", "-o", "use.hinje")
    assert message == "Error: -o 'use.hinje' uses use.hinje, which does not exist. Did you mean use.hinge?\n"


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize("key", ["trainer.cuda_device", "distributed.cuda_devices"])
def test_a_missing_gpu_is_reported_before_anything_is_read(
    key: str, train: Callable[..., str], stock_experiment: Experiment, tmp_path: Path
) -> None:
    part, _, name = key.partition(".")
    stock_experiment.setdefault(part, {})[name] = 0 if part == "trainer" else [0, 1]
    stock_experiment["train_data_path"] = "nowhere"
    message = train(stock_experiment)
    assert "Error: GPU 0 was requested, but this machine has no GPU" in message
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize("command", ["evaluate", "predict"])
def test_a_missing_gpu_is_reported_by_commands(command: str, failing: Failing, stock_run: Path) -> None:
    message = failing(command, stock_run / "model.tar.gz", "input.txt", "--cuda-device", 0)
    assert "Error: GPU 0 was requested" in message


def test_a_missing_config_is_reported(failing: Failing, tmp_path: Path) -> None:
    assert "There is no config no_such.jsonnet" in failing("train", "no_such.jsonnet", "-s", tmp_path / "run")


@pytest.mark.parametrize("command", ["evaluate", "predict"])
def test_a_broken_archive_is_reported(command: str, failing: Failing, tmp_path: Path) -> None:
    archive = tmp_path / "model.tar.gz"
    archive.write_bytes(b"nothing")
    assert f"{archive} is not a complete .tar.gz file" in failing(command, archive, "input.txt")


def test_a_missing_archive_is_reported(failing: Failing) -> None:
    message = failing("predict", "no_such.tar.gz", "input.txt")
    assert "There is no archive no_such.tar.gz. Pass the model.tar.gz of a run" in message
    assert all(name in message for name in pretrained_names())


def test_a_missing_input_is_reported(failing: Failing, stock_run: Path) -> None:
    message = failing("evaluate", stock_run / "model.tar.gz", "no_such_input.txt")
    assert "no_such_input.txt" in message


def test_the_traceback_is_shown_on_demand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("NER_ZOO_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["allennlp", "train", "no_such.jsonnet", "-s", str(tmp_path / "run")])
    with pytest.raises(ConfigurationError):
        commands.main(prog="allennlp")


def test_the_traceback_is_in_the_log_of_the_run(
    train: Callable[..., str], stock_experiment: Experiment, tmp_path: Path
) -> None:
    stock_experiment["train_data_path"] = "no/such/corpus.txt"
    train(stock_experiment)
    assert "Traceback" in (tmp_path / "run" / "out.log").read_text()


def raising(error: Exception) -> Callable[[Any], None]:
    def command(prog: Any = None) -> None:
        raise error

    return with_short_errors(command)


def test_an_error_that_is_not_the_users_keeps_its_traceback() -> None:
    with pytest.raises(ZeroDivisionError):
        raising(ZeroDivisionError())(None)


def test_a_long_message_fits_on_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = [f"line {number}" for number in range(100)]
    with pytest.raises(SystemExit):
        raising(ConfigurationError("\n".join(lines)))(None)
    printed = capsys.readouterr().err
    assert "line 29\n... and 70 more lines" in printed
    assert "line 30" not in printed
