"""Unknown keys are refused anywhere."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from allennlp.commands.train import train_model
from allennlp.common import FromParams, Lazy, Params, Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from allennlp.models import Model
from allennlp.training import Trainer
from pytest import raises

from ner_zoo.losses import Loss
from ner_zoo.platform.strict_config import check_experiment

Experiment = dict[str, Any]
# The keys of these dicts are names chosen by the user.
NAMED_BY_THE_USER = ("token_indexers", "token_embedders", "min_count")


@pytest.fixture
def full_experiment(stock_experiment: Experiment) -> Experiment:
    """The stock experiment with a value wherever a config can have a dict."""
    experiment = stock_experiment
    experiment["trainer"].update(
        learning_rate_scheduler={"type": "reduce_on_plateau", "patience": 2},
        momentum_scheduler={"type": "inverted_triangular", "cool_down": 1, "warm_up": 1},
        moving_average={"type": "exponential", "decay": 0.9},
        checkpointer={"keep_most_recent_by_count": 1},
        callbacks=[{"type": "should_validate_callback", "validation_interval": 1}, "track_epoch_callback"],
        optimizer={"type": "sgd", "lr": 0.1, "momentum": 0.9},
    )
    experiment["model"]["regularizer"] = {"regexes": [[".*", {"type": "l2", "alpha": 0.1}]]}
    experiment["model"]["feedforward"] = {"input_dim": 12, "num_layers": 1, "hidden_dims": 4, "activations": "relu"}
    experiment["validation_dataset_reader"] = copy.deepcopy(experiment["dataset_reader"])
    experiment["validation_data_loader"] = {"batch_size": 4}
    experiment["distributed"] = {"cuda_devices": [-1, -1], "ddp_accelerator": {"type": "torch"}}
    experiment["evaluation"] = {"type": "simple"}
    experiment["include_in_archive"] = ["notes.txt"]
    experiment.update(random_seed=1, numpy_seed=2, pytorch_seed=3)
    return experiment


def dicts(config: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every dict in a config, with its path and a dot."""
    if isinstance(config, dict):
        yield place, config
    items = config.items() if isinstance(config, dict) else enumerate(config) if isinstance(config, list) else ()
    for key, value in items:
        yield from dicts(value, f"{place}{key}.")


def test_a_whole_experiment_is_not_refused(full_experiment: Experiment) -> None:
    check_experiment(Params(full_experiment))


def test_an_unknown_key_is_refused_in_every_dict(full_experiment: Experiment, tmp_path: Path) -> None:
    places = [place for place, _ in dicts(full_experiment) if not place.rstrip(".").endswith(NAMED_BY_THE_USER)]
    assert len(places) > 25
    for place in places:
        experiment = copy.deepcopy(full_experiment)
        dict(dicts(experiment))[place]["dropuot"] = 0.5
        with raises(ConfigurationError) as caught:
            train_model(Params(experiment), str(tmp_path / "run"))
        assert f"In the config, {place}dropuot is not known." in str(caught.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("place", "key", "nearest"),
    [
        ("", "trainr", "trainer"),
        ("", "randm_seed", "random_seed"),
        ("trainer.", "patince", "patience"),
        ("trainer.", "num_epoch", "num_epochs"),
        ("trainer.optimizer.", "learning_rate_", None),
        ("trainer.checkpointer.", "keep_most_recent_by_cout", "keep_most_recent_by_count"),
        ("dataset_reader.", "token_indexer", "token_indexers"),
        ("data_loader.batch_sampler.", "padding_nois", "padding_noise"),
        ("model.encoder.", "hidden_sise", "hidden_size"),
        ("model.text_field_embedder.token_embedders.token_characters.encoder.", "num_filter", "num_filters"),
        ("distributed.", "cuda_device", "cuda_devices"),
    ],
)
def test_the_nearest_known_key_is_named(full_experiment: Experiment, place: str, key: str, nearest: str | None) -> None:
    dict(dicts(full_experiment))[place][key] = 1
    with raises(ConfigurationError) as caught:
        check_experiment(Params(full_experiment))
    assert str(caught.value).startswith(f"In the config, {place}{key} is not known.")
    assert (f"Did you mean {nearest}?" if nearest else "Known: ") in str(caught.value)


def test_all_unknown_keys_are_named_at_once(full_experiment: Experiment) -> None:
    full_experiment["trainer"]["patince"] = 3
    full_experiment["model"]["encoder"]["hidden_sise"] = 3
    with raises(ConfigurationError, match=r"(?s)model.encoder.hidden_sise.*\nand trainer.patince"):
        check_experiment(Params(full_experiment))


def test_an_unknown_type_is_named_with_the_nearest(full_experiment: Experiment) -> None:
    full_experiment["model"]["encoder"]["type"] = "lsmt"
    with raises(ConfigurationError, match="model.encoder.type: lsmt is not known. Did you mean lstm"):
        check_experiment(Params(full_experiment))


def test_names_that_the_user_gives_are_not_refused(full_experiment: Experiment) -> None:
    indexers = full_experiment["dataset_reader"]["token_indexers"]
    indexers["anything"] = indexers["tokens"]
    full_experiment["vocabulary"]["min_count"]["any_namespace"] = 2
    check_experiment(Params(full_experiment))


def test_a_part_without_a_constructor_of_its_own_takes_no_key() -> None:
    with raises(ConfigurationError, match="weight is not known"):
        Loss.from_params(Params({"type": "nll", "weight": 2}))


def test_parts_built_separately_are_checked_too() -> None:
    with raises(ConfigurationError, match="lowercase is not known"):
        DatasetReader.from_params(
            Params({"type": "conll2003", "token_indexers": {"a": {"type": "single_id", "lowercase": True}}})
        )
    with raises(ConfigurationError, match="num_epoch is not known"):
        Trainer.from_params(Params({"num_epoch": 3}), model=Model(None), serialization_dir=None, data_loader=None)


class Part(Registrable):
    """A base class for the parts below."""


@Part.register("free")
class Free(Part):
    def __init__(self, known: int = 1, **anything: Any) -> None:
        self.anything = anything


@Part.register("bound")
class Bound(Part):
    def __init__(self, width: int = 1) -> None:
        self.width = width


@Part.register("passing_on")
class PassingOn(Bound):
    def __init__(self, height: int = 1, **rest: Any) -> None:
        super().__init__(**rest)


class Empty(FromParams):
    """Has no options."""


class OwnWay(FromParams):
    def __init__(self, total: int) -> None:
        self.total = total

    @classmethod
    def config_parameters(cls) -> dict[str, Any]:
        return {"left": int, "right": int}

    @classmethod
    def from_params(cls, params: Params, **_: Any) -> "OwnWay":  # type: ignore[override]
        return cls(params.pop("left") + params.pop("right"))


class Whole(FromParams):
    def __init__(
        self,
        part: Part | None = None,
        new_union: Part | None = None,
        lazy: Lazy[Part] | None = None,
        several: list[Part] | None = None,
        named: dict[str, Part] | None = None,
        pairs: list[tuple[str, Part]] | None = None,
        either: int | str | Part | None = None,
        anything: dict[str, Any] | None = None,
        empty: Empty | None = None,
        own_way: OwnWay | None = None,
    ) -> None:
        self.new_union = new_union


@pytest.mark.parametrize(
    ("config", "place"),
    [
        ({"part": {"type": "bound", "x": 1}}, "part.x"),
        ({"new_union": {"type": "bound", "x": 1}}, "new_union.x"),
        ({"lazy": {"type": "bound", "x": 1}}, "lazy.x"),
        ({"several": ["bound", {"type": "bound", "x": 1}]}, "several.1.x"),
        ({"named": {"mine": {"type": "bound", "x": 1}}}, "named.mine.x"),
        ({"pairs": [["a", {"type": "bound", "x": 1}]]}, "pairs.0.1.x"),
        ({"either": {"type": "bound", "x": 1}}, "either.x"),
        ({"empty": {"x": 1}}, "empty.x"),
        ({"own_way": {"left": 1, "rihgt": 2}}, "own_way.rihgt"),
        ({"part": {"type": "passing_on", "height": 1, "width": 2, "x": 1}}, "part.x"),
    ],
)
def test_every_annotation_is_followed(config: dict[str, Any], place: str) -> None:
    with raises(ConfigurationError) as caught:
        Whole.from_params(Params(config))
    assert f"{place} is not known" in str(caught.value)


@pytest.mark.parametrize(
    "config",
    [
        {"part": {"type": "free", "x": 1}},
        {"part": {"type": "passing_on", "height": 1, "width": 2}},
        {"anything": {"x": {"y": 1}}},
        {"either": "a word"},
        {"either": 3},
        {"own_way": {"left": 1, "right": 2}},
        {"several": ["bound"], "named": {}},
    ],
    ids=json.dumps,
)
def test_valid_values_are_not_refused(config: dict[str, Any]) -> None:
    Whole.from_params(Params(config))


def test_a_part_annotated_with_a_new_union_is_made() -> None:
    assert isinstance(Whole.from_params(Params({"new_union": "bound"})).new_union, Bound)
