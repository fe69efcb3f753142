"""No page names a config key, an option of a command or an environment variable that does not exist."""

import copy
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import evaluate_snippet

from ner_zoo.platform.registry import load_everything
from ner_zoo.platform.strict_config import check_experiment
from reference import command_line
from tests.docs_pages import PAGES, ROOT, blocks, commands, inline_code, text_of

load_everything()

EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
PRELUDE = """
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
"""
# Configs that between them have every part to which a page may give a key.
INPUTS = "experiment + use.demo + use.learned_words(50) + use.bilstm(50)"
BASES = (
    f"{INPUTS} + use.scheme('BIO') + use.tagger + use.crf + use.discounted_margin('PER')",
    f"{INPUTS} + use.span() + use.nested + use.nrces(noise=0.5) + use.weak([use.dictionary({{ PER: 'people.txt' }})])",
    f"{INPUTS} + use.joint_relation() + use.crf + use.nll",
)
KEY = re.compile(
    r"^(?!model\.(?:tar|ner|safetensors)|trainer\.batch_outputs)"  # files, and a method
    r"(?:trainer|model|dataset_reader|validation_dataset_reader|data_loader|distributed)(?:\.\w+)+$"
)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*\b")
# Options of other programs, and those that are added to every command that opens an archive.
OTHERS = {"--no-deps", "--no-build-isolation", "--logdir", "--training", "--user", "--scope", "--full", "--more-seeds"}
ADDED = {"--include-package", "--allow-downloads"}


def evaluated(text: str) -> dict[str, Any]:
    return json.loads(evaluate_snippet("page.jsonnet", PRELUDE + text, ext_vars={"NER_ZOO_DATA": "data"}))


@pytest.fixture(scope="module")
def bases() -> list[dict[str, Any]]:
    return [evaluated(base) for base in BASES]


@pytest.fixture(scope="module")
def options() -> set[str]:
    """Those of all commands."""
    found = command_line.parsers().values()
    every = [one for parser in found for one in (parser, *command_line.inner(parser).values())]
    return {option for parser in every for option in parser._option_string_actions}


def is_known(key: str, bases: list[dict[str, Any]]) -> bool:
    """Whether some config may have the key."""
    for base in bases:
        config = copy.deepcopy(base)
        place: Any = config
        *path, last = key.split(".")
        for name in path:
            if isinstance(place.get(name), str):
                place[name] = {"type": place[name]}
            place = place.setdefault(name, {})
        place.setdefault(last, None)
        try:
            check_experiment(Params(config))
        except ConfigurationError:
            continue
        return True
    return False


@EVERY_PAGE
def test_experiments_on_a_page_have_no_unknown_key(page: Path) -> None:
    for block in blocks(page):
        if block.language == "jsonnet" and "experiment +" in block.text:
            body = re.sub(r"^local (experiment|use) = .*\n", "", block.text, flags=re.MULTILINE)
            check_experiment(Params(evaluated(body)))


def overridden(page: Path) -> Iterator[list[str]]:
    """The commands of a page that train and have arguments."""
    texts = [block.text for block in blocks(page) if block.language in ("", "bash", "sh")]
    for text in [one for one in texts if "allennlp" in one] + [one for one in inline_code(page) if " -o " in one]:
        if "…" not in text:
            yield from (
                words for words in commands(text) if words[:2] in (["allennlp", "train"], ["allennlp", "compare"])
            )


@EVERY_PAGE
def test_what_is_overridden_on_the_command_line_exists(page: Path, bases, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NER_ZOO_DATA", "data")
    monkeypatch.chdir(ROOT)
    for words in overridden(page):
        config = words[2] if Path(words[2]).exists() else "training_config/demo.jsonnet"
        for flag, value in pairwise(words):
            if flag == "-o":
                check_experiment(Params.from_file(config, value.replace("$NER_ZOO_DATA", "data")))
            elif flag == "--vary":
                assert is_known(value.partition("=")[0], bases), value


@EVERY_PAGE
def test_keys_that_are_named_exist(page: Path, bases) -> None:
    assert [code for code in inline_code(page) if KEY.match(code) and not is_known(code, bases)] == []


@EVERY_PAGE
def test_options_that_are_named_exist(page: Path, options: set[str]) -> None:
    named = {option for code in inline_code(page) for option in OPTION.findall(code)}
    assert named - options - OTHERS - ADDED == set()


def test_environment_variables_that_are_named_are_read() -> None:
    code = "".join(path.read_text() for path in sorted((ROOT / "ner_zoo").rglob("*.py")))
    named = {name for page in PAGES for name in re.findall(r"\bNER_ZOO_[A-Z_]+\b", text_of(page))}
    assert {name for name in named if name not in code} == set()


def test_messages_that_are_explained_are_those_of_the_code() -> None:
    paths = [ROOT / "ner_zoo_hook.py", *(ROOT / "ner_zoo").rglob("*.py"), *(ROOT / "ner_zoo").rglob("*.libsonnet")]
    code = re.sub(r"""["']\s+f?["']""", "", "".join(path.read_text() for path in paths))  # strings over two lines
    rows = re.findall(r"^\| (`.+?`(?:, `.+?`)*) \|", text_of(ROOT / "docs" / "troubleshooting.md"), re.MULTILINE)
    messages = [message.replace("NER_ZOO_DATA", "…") for row in rows for message in re.findall(r"`(.+?)`", row)]
    pieces = [piece.strip(" .") for message in messages for piece in message.split("…")]
    assert len(messages) >= 8 and [piece for piece in pieces if piece not in code] == []


def test_a_key_that_does_not_exist_is_noticed(bases) -> None:
    assert is_known("model.loss.df", bases) and is_known("trainer.patience", bases)
    assert not is_known("trainer.patince", bases) and not is_known("model.loss.dff", bases)


def test_the_readme_is_short() -> None:
    assert len(text_of(ROOT / "README.md").splitlines()) < 120
