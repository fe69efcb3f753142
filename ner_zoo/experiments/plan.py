"""
Plans the runs of a comparison: every variant of every config with every seed.

A config is evaluated once, with its overrides, and everything later uses the result, so editing a file during a
comparison has no effect. A run is identified by the hash of its evaluated config and of the runs it needs:

    {run:NAME}      in any string of a config or an override, the folder of NAME's run with the same seed

A run that takes weights from another run's folder is trained after it.
"""

import copy
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import with_overrides

from ner_zoo.data.vector_store import FOLDER

Config = dict[str, Any]
SEED_KEYS = ("random_seed", "numpy_seed", "pytorch_seed")
DEFAULT_SEED = 13370
PLACEHOLDER = re.compile(r"\{run:([^{}]+)\}")


@dataclass(frozen=True)
class Variation:
    """A key of a config, as in overrides, and the values to try."""

    key: str
    values: tuple[Any, ...]

    @classmethod
    def parse(cls, text: str) -> "Variation":
        """Parses `model.loss.df=0.85,0.9`; values are JSON or plain words."""
        key, sign, values = text.partition("=")
        if not (key and sign and values):
            raise ConfigurationError(f"--vary {text!r} is not KEY=VALUE,VALUE,... such as model.loss.df=0.85,0.9.")
        try:
            return cls(key.strip(), tuple(json.loads(f"[{values}]")))
        except json.JSONDecodeError:
            return cls(key.strip(), tuple(_json_or_word(value) for value in values.split(",")))


@dataclass(eq=False)
class Run:
    """
    config, variant : names; the variant is empty if nothing is varied.
    seed : one of the config's seeds; `number` is its index among them.
    folder : AllenNLP's serialization folder; next to it, `folder`.json is the record and `folder`.log the log.
    params : the evaluated config with the seeds set.
    needs : runs that must finish first.
    comparison : the folder of all runs, for shared files.
    """

    config: str
    variant: str
    seed: int
    number: int
    folder: Path
    params: Config
    hash: str = ""
    needs: list["Run"] = field(default_factory=list)
    comparison: Path | None = None

    @property
    def name(self) -> str:
        return "/".join(part for part in (self.config, self.variant, f"seed {self.seed}") if part)

    @property
    def vectors(self) -> str | None:
        """Folder for the vectors of frozen encoders, shared by all runs of a comparison."""
        return None if self.comparison is None else str(self.comparison / FOLDER)

    def beside(self, ending: str) -> Path:
        return self.folder.with_name(self.folder.name + ending)


@dataclass(frozen=True)
class Plan:
    """configs : name -> path, in the given order; runs : seed by seed, so that configs can be compared early."""

    configs: dict[str, Path]
    runs: list[Run]


def make_plan(
    paths: Sequence[Path],
    folder: Path,
    seeds: str = "3",
    overrides: str = "",
    variations: Sequence[Variation] = (),
) -> Plan:
    """Plans everything to train in `folder`."""
    # Normalised, so that runs that take weights from it keep the same config.
    folder = Path(os.path.relpath(folder))
    configs = dict(zip(unique_names(paths), paths))
    evaluated = {name: Params.from_file(path, overrides).as_dict(quiet=True) for name, path in configs.items()}
    _check_variations(variations, evaluated)
    runs: list[Run] = []
    for name, params in evaluated.items():
        for variant, changed in variants(params, variations):
            for number, seed in enumerate(seeds_of(seeds, changed)):
                place = folder / name / (_folder_name(variant) if variant else "") / f"seed_{seed}"
                with_seed = {**changed, **dict.fromkeys(SEED_KEYS, seed)}
                runs.append(Run(name, variant, seed, number, place, with_seed, comparison=folder))
    _link(runs)
    return Plan(configs, sorted(runs, key=lambda run: run.number))


def unique_names(paths: Sequence[Path]) -> list[str]:
    """The stems of the files; if two are equal, with as many parent folders as needed to distinguish them."""
    if len(set(map(Path.resolve, paths))) < len(paths):
        raise ConfigurationError("A config is given twice: " + ", ".join(map(str, paths)))
    parts = [path.resolve().with_suffix("").parts for path in paths]
    names = []
    for own in parts:
        length = 1
        while sum(other[-length:] == own[-length:] for other in parts) > 1 and length < len(own):
            length += 1
        names.append("_".join(own[-length:]))
    return [name if names.count(name) == 1 else f"{name}_{place}" for place, name in enumerate(names)]


def seeds_of(text: str, params: Mapping[str, Any]) -> list[int]:
    """A number of seeds, counting up from the config's own; or a comma-separated list of seeds."""
    try:
        numbers = [int(number) for number in text.split(",") if number.strip()]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) < 0 or len(set(numbers)) < len(numbers) or ("," not in text and numbers[0] < 1):
        raise ConfigurationError(f"--seeds {text!r} is neither a count, such as 3, nor a list, such as 1,2,3.")
    if "," in text:
        return numbers
    first = int(params.get("random_seed") or DEFAULT_SEED)
    return [first + number for number in range(numbers[0])]


def variants(params: Config, variations: Sequence[Variation]) -> Iterator[tuple[str, Config]]:
    """Every combination of values for the keys that the config has, with its name."""
    own = [variation for variation in variations if has_key(params, variation.key)]
    combinations = [
        dict(zip((variation.key for variation in own), values)) for values in product(*(v.values for v in own))
    ]
    # Duplicate values are tried once.
    for name, changes in {variant_name(changes): changes for changes in combinations}.items():
        yield name, with_overrides(params, changes) if changes else copy.deepcopy(params)


def variant_name(changes: Mapping[str, Any]) -> str:
    """`model.loss.df=0.9,trainer.num_epochs=3`; empty if nothing is changed."""
    return ",".join(f"{key}={item if isinstance(item, str) else json.dumps(item)}" for key, item in changes.items())


def _folder_name(variant: str) -> str:
    plain = re.sub(r"[^\w.,=+-]", "_", variant)
    return plain if plain == variant and len(plain) < 120 else f"{plain[:100]}_{digest(variant)[:8]}"


def _json_or_word(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text.strip()


def has_key(params: Any, key: str) -> bool:
    for part in key.split("."):
        if isinstance(params, list) and part.isdigit() and int(part) < len(params):
            params = params[int(part)]
        elif isinstance(params, dict) and part in params:
            params = params[part]
        else:
            return False
    return True


def digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode("utf-8")).hexdigest()[:16]


def _check_variations(variations: Sequence[Variation], evaluated: Mapping[str, Config]) -> None:
    keys = [variation.key for variation in variations]
    for variation in variations:
        if keys.count(variation.key) > 1:
            raise ConfigurationError(f"--vary {variation.key} is given twice. List all its values in one --vary.")
        if not any(has_key(params, variation.key) for params in evaluated.values()):
            raise ConfigurationError(
                f"--vary {variation.key}: no config has this key. Add it, with any value, to the configs in which it "
                f"should be varied."
            )


def _link(runs: list[Run]) -> None:
    """Resolves what every run needs, replaces names by folders, and computes the hash of the run."""
    visiting: list[str] = []

    def link(run: Run) -> None:
        if run.hash:
            return
        if run.name in visiting:
            raise ConfigurationError("Circular dependency between configs: " + ", ".join([*visiting, run.name]))
        visiting.append(run.name)
        text = json.dumps(run.params, ensure_ascii=False)
        named = sorted(set(PLACEHOLDER.findall(text)))
        run.needs = [_needed(run, name, runs) for name in named]
        for other in run.needs:
            link(other)
        # Hash what it needs, not where that is: a folder may be moved.
        run.hash = digest([run.params, [other.hash for other in run.needs]])
        folders = {name: json.dumps(str(other.folder))[1:-1] for name, other in zip(named, run.needs)}
        run.params = json.loads(PLACEHOLDER.sub(lambda match: folders[match[1]], text))
        visiting.pop()

    for run in runs:
        link(run)


def _needed(run: Run, name: str, runs: Sequence[Run]) -> Run:
    found = [other for other in runs if other.config == name and other.number == run.number]
    if not found:
        known = sorted({other.config for other in runs})
        raise ConfigurationError(
            f"{run.config} uses {{run:{name}}}, but no config of that name is compared. Available: {', '.join(known)}."
        )
    if len(found) > 1:
        raise ConfigurationError(
            f"{run.config} uses {{run:{name}}}, which has {len(found)} variants. Only a config without variants can "
            f"be used."
        )
    return found[0]
