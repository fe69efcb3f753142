"""The documentation is right: its examples run, its commands are valid, and what it names exists."""

import ast
import contextlib
import doctest
import io
import json
import re
from pathlib import Path

import pytest
from allennlp.commands import ArgumentParserWithDefaults, Subcommand
from allennlp.commands.train import train_model
from allennlp.common import Params, Registrable
from allennlp.common.params import evaluate_snippet

from ner_zoo.platform.changes import CHANGES, CHANGES_FOR_ARCHIVES
from ner_zoo.platform.registry import load_everything
from tests.docs_pages import DOCS, PAGES, ROOT, anchors, blocks, commands, inline_code, links, text_of

load_everything()

SHELL = ("", "bash", "sh")
CONFIG = re.compile(r"^(?:training_config/)?((?:hinge|mrt|nrces|roseq|span_level)/\w+)(?:\.jsonnet)?$")
USED = re.compile(r"\buse\.(?!libsonnet|md)(\w+)")
TYPE = re.compile(r"""["']?type["']?: ["']([a-z]\w*)["']""")
LIBRARY = "local use = import 'ner_zoo/use.libsonnet';\n"
PRELUDE = "local experiment = import 'ner_zoo/experiment.libsonnet';\n" + LIBRARY
EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def evaluated(text):
    return json.loads(evaluate_snippet("page.jsonnet", text, ext_vars={"NER_ZOO_DATA": "data"}))


@pytest.fixture(scope="module")
def parser():
    """The parser of the command `allennlp`, with all subcommands."""
    parser = ArgumentParserWithDefaults(prog="allennlp")
    subparsers = parser.add_subparsers()
    for name in Subcommand.list_available():
        subparser = Subcommand.by_name(name)().add_subparser(subparsers)
        if Subcommand.by_name(name).requires_plugins:
            subparser.add_argument("--include-package", action="append", default=[])
    return parser


@pytest.fixture(scope="module")
def parts():
    """The names of the parts of a config."""
    return set(evaluated(LIBRARY + "std.objectFieldsAll(use)"))


@pytest.fixture()
def registry():
    """Unregisters what an example registers."""
    before = {kind: dict(names) for kind, names in Registrable._registry.items()}
    yield
    for kind, names in Registrable._registry.items():
        names.clear()
        names.update(before.get(kind, {}))


@EVERY_PAGE
def test_examples_that_are_marked_run_one_after_the_other(page, registry):
    names = {"__name__": "my_parts"}
    for block in blocks(page):
        if block.mark != "tested":
            continue
        if ">>>" in block.text:
            example = doctest.DocTestParser().get_doctest(block.text, names, str(block), str(page), block.line)
            runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
            said = io.StringIO()
            runner.run(example, out=said.write, clear_globs=False)
            assert runner.failures == 0, said.getvalue()
            names = example.globs
        else:
            exec(compile(block.text, str(block), "exec"), names)


def test_each_part_of_the_page_on_extending_is_tested_and_under_thirty_lines():
    tested = [block for block in blocks(DOCS / "extending.md") if block.mark == "tested"]
    assert len(tested) == len([block for block in blocks(DOCS / "extending.md") if block.language == "python"]) == 8
    assert all(len(block.text.splitlines()) < 30 for block in tested)


@EVERY_PAGE
def test_python_snippets_are_valid(page):
    for block in blocks(page):
        if block.language == "python" and ">>>" not in block.text:
            ast.parse(block.text, str(block))


@EVERY_PAGE
def test_configs_evaluate_and_name_what_is_registered(page, parts):
    known = {name for names in Registrable._registry.values() for name in names}
    own = set(re.findall(r'@\w+\.register\("(\w+)"\)', text_of(page)))
    for block in blocks(page):
        if block.language == "jsonnet":
            if "experiment +" in block.text:
                body = re.sub(r"^local (experiment|use) = .*\n", "", block.text, flags=re.MULTILINE)
                assert evaluated(PRELUDE + body)["model"], block
            assert set(TYPE.findall(block.text)) <= known | own, block
    for code in inline_code(page):
        assert set(TYPE.findall(code)) <= known | own, code
    assert set(USED.findall(text_of(page))) <= parts | {"PART"}


@EVERY_PAGE
def test_named_configs_exist(page):
    mentioned = [*inline_code(page), *(word for block in blocks(page) for word in block.text.split())]
    found = [match[1] for match in map(CONFIG.match, mentioned) if match]
    assert [name for name in found if not (ROOT / "training_config" / f"{name}.jsonnet").exists()] == []
    files = re.findall(r"`((?:ner_zoo|training_config|tests|benchmarks|fixtures)/[\w/]+\.\w+)`", text_of(page))
    assert [name for name in files if not (ROOT / name).exists() and "NAME" not in name] == []


@EVERY_PAGE
def test_commands_are_valid(page, parser):
    fenced = [command for block in blocks(page) if block.language in SHELL for command in shell(block.text)]
    for command in [*fenced, *(part for code in inline_code(page) for part in shell(code, is_whole=False))]:
        if command[0] == "allennlp":
            check_command(parser, command, is_whole=command in fenced)
        elif command[0] == "make" and len(command) > 1:
            assert re.search(rf"^{command[1]}:", text_of(ROOT / "Makefile"), re.MULTILINE), command


def shell(text, is_whole=True):
    """Commands in a text that may also be a formula or a file."""
    if is_whole and not re.search(r"^\s*(\w+=\S+ )*(allennlp|make) ", text, re.MULTILINE):
        return []
    if not is_whole and not re.match(r"(allennlp|make) ", text):
        return []
    return list(commands(text))


def check_command(parser, command, is_whole):
    subparsers = parser._subparsers._group_actions[0].choices
    assert command[1] in subparsers, f"There is no {command[1]}: {' '.join(command)}"
    options = subparsers[command[1]]._option_string_actions
    flags = [word.partition("=")[0] for word in command[2:] if re.match(r"^--?[a-z]", word)]
    assert [flag for flag in flags if flag not in options] == [], " ".join(command)
    if is_whole and not any("…" in word for word in command):
        said = io.StringIO()
        try:
            with contextlib.redirect_stderr(said):
                parser.parse_args(command[1:])
        except SystemExit:
            pytest.fail(f"{' '.join(command)}: {said.getvalue()}")


@EVERY_PAGE
def test_links_are_valid(page):
    for link in links(page):
        if re.match(r"https?://", link):
            continue
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        assert target.exists(), f"{link} is not there"
        assert not anchor or anchor in anchors(target), f"{link}: the headings are {anchors(target)}"


@EVERY_PAGE
def test_pages_contain_no_path_of_a_machine(page):
    assert re.findall(r"(?<![\w.$/-])/(?:home|root|tmp|work|usr|mnt|Users)/\S*", text_of(page)) == []


def test_every_part_of_a_config_has_its_line(parts):
    described = set(USED.findall(text_of(DOCS / "config_parts.md")))
    assert parts - described == set()


def test_every_subcommand_of_ours_is_in_the_quick_start():
    ours = {n for n in Subcommand.list_available() if Subcommand.by_name(n).__module__.startswith("ner_zoo")}
    shown = set(re.findall(r"\| `allennlp (\w+)`", text_of(DOCS / "quick_start.md")))
    assert ours <= shown


@pytest.mark.parametrize(
    "path",
    ["doccano/relations.jsonl", "label_studio/export.json", "nerel/train", "span_json/train.jsonl"],
)
def test_the_joint_model_of_the_page_on_own_data_trains_on_every_export_with_relations(path, tmp_path):
    block = next(block for block in blocks(DOCS / "own_data.md") if block.mark == "joint")
    config = evaluated(PRELUDE + block.text.replace("train.jsonl", f"{ROOT}/fixtures/{path}"))
    config["validation_data_path"] = config["train_data_path"]
    config["trainer"]["num_epochs"] = 1
    train_model(Params(config), str(tmp_path / "run"))
    metrics = json.loads((tmp_path / "run" / "metrics.json").read_text())
    assert 0 <= metrics["best_validation_relation_f1"] <= 1


def test_the_pages_build_without_a_warning(tmp_path):
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    config = load_config(str(ROOT / "mkdocs.yml"), strict=True, site_dir=str(tmp_path))
    build(config)
    built = {path.relative_to(tmp_path).with_suffix(".md") for path in tmp_path.rglob("*.html")}
    assert {path.relative_to(DOCS) for path in DOCS.rglob("*.md")} <= built | {Path("404.md")}


def test_the_names_that_the_readme_lists_are_registered():
    known = {name for names in Registrable._registry.values() for name in names}
    rows = re.findall(r"^\| [\w ]+ \| (`.+`.*) \|$", text_of(ROOT / "README.md"), re.MULTILINE)
    names = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert len(names) > 50 and set(names) <= known


def test_the_versions_on_the_page_are_those_that_are_pinned():
    pins = dict(re.findall(r"^([\w-]+)==(\S+)$", text_of(ROOT / "requirements.txt"), re.MULTILINE))
    shown = re.findall(r"^\| ([\w-]+) \| ([\d.]+) \|", text_of(DOCS / "allennlp_today.md"), re.MULTILINE)
    told = {name: version for name, version in shown if name != "Python"}
    assert len(told) >= 5 and all(pins[name] == version for name, version in told.items())


def test_every_change_to_allennlp_is_documented():
    rows = re.findall(r"^\| (`\w+`.*?) \|", text_of(DOCS / "allennlp_today.md"), re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert told == {change.function.rpartition(".")[2] for change in CHANGES + CHANGES_FOR_ARCHIVES}


@pytest.mark.parametrize("first", [ROOT / "README.md", DOCS / "index.md"], ids=lambda page: page.name)
def test_every_page_is_within_two_clicks(first):
    def linked(page):
        places = [link.partition("#")[0] for link in links(page) if not re.match(r"https?://", link)]
        return {(page.parent / place).resolve() for place in places if place.endswith(".md")}

    near = linked(first)
    reached = near.union({first}, *(linked(page) for page in near))
    assert [page.relative_to(DOCS) for page in DOCS.rglob("*.md") if page.resolve() not in reached] == []
