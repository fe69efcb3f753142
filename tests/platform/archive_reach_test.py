"""What the config of an archive may and may not name."""

from pathlib import Path
from typing import Any

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.archive_guard import Guard
from ner_zoo.platform.archive_reach import ALLOWED_PATHS, MAX_WORKERS, check_reach

ENCODER = str(Path("fixtures/tiny_encoder").absolute())


def check(config: dict[str, Any], is_own: bool = False) -> None:
    check_reach(config, Guard("evil.tar.gz"), is_own, of_user=set())


def encoder(**arguments: Any) -> dict[str, Any]:
    return {"model": {"embedder": {"type": "pretrained_transformer", **arguments}}}


@pytest.mark.parametrize(
    "arguments",
    [
        {"trust_remote_code": True},
        {"weights_only": False},
        {"use_safetensors": False},
        {"revision": "refs/pr/1"},
        {"quantization_config": {"load_in_4bit": True}},
        {"attn_implementation": "nobody/kernel"},
        {"allow_all_kernels": True},
        {"config": "elsewhere"},
        {"distributed_config": {"tp_plan": "auto"}},
        {"tokenizer_class": "Evil"},
    ],
    ids=str,
)
def test_arguments_by_which_transformers_runs_code_or_looks_elsewhere_are_refused(arguments: dict[str, Any]) -> None:
    for name in ("transformer_kwargs", "tokenizer_kwargs", "auto_config_kwargs"):
        with pytest.raises(ConfigurationError, match=f"evil.tar.gz is refused: in its config model.embedder.{name}"):
            check(encoder(**{name: arguments}))


def test_harmless_arguments_and_names_pass() -> None:
    check(encoder(transformer_kwargs={"hidden_dropout_prob": 0.1, "attn_implementation": "eager", "revision": "main"}))
    check(encoder(tokenizer_kwargs={"add_prefix_space": True, "trust_remote_code": False, "bos_token": "<s>"}))
    # A namespace, an embedder and a label may have the name of an argument or a folder.
    check({"model": {"token_embedders": {"token": {"type": "embedding", "vocab_namespace": "config"}}}})
    check({"dataset_reader": {"namespace": "tests", "label": "and/or"}, "model": {"token": "subfolder"}})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("weight_file", "/etc/passwd"),
        ("weight_file", "new"),
        ("serialization_directory", "new/folder"),
        ("srl_eval_path", "perl"),
        ("words", "../../secret.txt"),
        ("words", "~/secret.txt"),
        ("words", "C:\\secret.txt"),
        ("words", "pyproject.toml"),
        ("model_name", "fixtures/tiny_encoder"),
        ("language", "fixtures"),
    ],
)
def test_a_path_outside_is_refused_by_its_name_unless_the_archive_is_the_users(key: str, value: str) -> None:
    for part in ("model", "dataset_reader", "validation_data_loader", "evaluation"):
        with pytest.raises(ConfigurationError, match=f"{part}.inner.{key} names .*outside the archive"):
            check({part: {"inner": {key: value}}})
        check({part: {"inner": {key: value}}}, is_own=True)


def test_the_user_may_allow_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match=f"{ALLOWED_PATHS}={Path(ENCODER).parent}"):
        check(encoder(model_name=ENCODER))
    monkeypatch.setenv(ALLOWED_PATHS, str(Path(ENCODER).parent))
    check(encoder(model_name=ENCODER))
    with pytest.raises(ConfigurationError, match="outside"):
        check(encoder(model_name=f"{ENCODER}/../../tests"))


def test_what_allennlp_removes_is_not_looked_at_and_what_it_leaves_is() -> None:
    vectors = {"pretrained_file": "/vectors/glove.txt", "initializer": {"weights_file_path": "/old/weights.th"}}
    check({"model": {"embedder": vectors, **vectors}})
    for config in ({"model": {"encoders": [vectors]}}, {"dataset_reader": vectors}):
        with pytest.raises(ConfigurationError, match="outside the archive"):
            check(config)


def test_only_as_many_processes_are_started_as_the_machine_can_use() -> None:
    check({"data_loader": {"num_workers": 2}})
    with pytest.raises(ConfigurationError, match="data_loader.num_workers is .*more processes"):
        check({"data_loader": {"num_workers": MAX_WORKERS + 1}})
