"""The reference describes everything that can be configured, called or read, and is what the code says now."""

import json

import pytest
from allennlp.common import Registrable

from reference import command_line, config_parts, pages, parts, python_api
from reference.files import FILES
from reference.options import described, type_name
from tests.docs_pages import DOCS, ROOT, text_of

COMPARISONS = sorted((DOCS / "results").glob("*.json"))


@pytest.fixture(scope="module")
def written():
    return pages.pages()


def test_pages_are_up_to_date(written):
    stale = [name for name, text in written.items() if text_of(pages.FOLDER / name) != text]
    assert not stale, "Run `python -m reference`."


def test_every_kind_of_part_has_a_section():
    listed = {parts.base_class(kind.base) for kind in parts.KINDS}
    ours = {
        kind
        for kind, names in Registrable._registry.items()
        if any(cls.__module__.startswith("ner_zoo.") for cls, _ in names.values())
    }
    assert {kind.__name__ for kind in ours - listed} == parts.ELSEWHERE


def test_every_option_of_a_registered_part_is_described():
    from ner_zoo.data.corpora.corpus import Corpus
    from ner_zoo.data.writers.writer import Writer

    kinds = [(parts.base_class(kind.base), kind.given) for kind in parts.KINDS] + [(Corpus, set()), (Writer, set())]
    missing = [
        f"{name}.{option.name}"
        for base, given in kinds
        for name, _, found in parts.registered(base)
        for option in found
        if option.name not in given and not option.description
    ]
    assert missing == []


def test_every_registered_part_has_a_sentence_about_it():
    every = [name for kind in parts.KINDS for name in parts.registered(parts.base_class(kind.base))]
    assert [name for name, cls, _ in every if not parts.summary(cls)] == []


def test_every_config_part_is_listed_with_what_it_sets(written):
    names = config_parts.snippet("std.objectFieldsAll(import 'ner_zoo/use.libsonnet')")
    headings = [line for line in written["use.md"].splitlines() if line.startswith("### `use.")]
    assert sorted(line.removeprefix("### `use.").split("(")[0].strip("`") for line in headings) == sorted(names)


def test_the_change_of_a_config_part_is_what_differs():
    assert config_parts.change({"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 2, "d": 4}}) == {"b": {"d": 4}}
    assert config_parts.change({"a": 1}, {"b": 2}) == {"b": 2, "a": None}


def test_every_argument_of_a_command_has_help():
    silent = [
        f"{name} {action.dest}"
        for name, parser in command_line.parsers().items()
        for one in (parser, *command_line.inner(parser).values())
        for action in command_line.actions(one)
        if not action.help
    ]
    assert silent == []


def test_every_public_member_of_the_python_interface_is_described():
    silent = [
        f"{path}.{name}"
        for paths in python_api.SECTIONS.values()
        for path in paths
        for name, member in (
            python_api.members(python_api.resolved(path)) if path[path.rfind(".") + 1].isupper() else ()
        )
        if not python_api.member_row(name, member)[1]
    ]
    assert silent == []


def test_fields_of_json_objects_are_described(written):
    assert [line for line in written["json.md"].splitlines() if line.endswith("|  |")] == []


@pytest.mark.parametrize("file", COMPARISONS, ids=lambda file: file.stem)
def test_the_fields_of_a_comparison_are_those_of_real_ones(file):
    told = FILES["`compare.json` of `allennlp compare`"][1]
    content = json.loads(file.read_text(encoding="utf-8"))
    top = {field for field in told if "." not in field}
    assert set(content) <= top and top - set(content) <= {"variants", "pairs", "threads"}
    fields = {field.partition(".")[2] for field in told if field.startswith("configs.")}
    assert {key for config in content["configs"] for key in config} <= fields


def test_a_description_may_take_several_lines_and_be_of_several_options():
    text = "A part.\n\nfirst, second : what both are, which\n    takes two lines.\nthird : one line.\n\nThe rest."
    expected = dict.fromkeys(("first", "second"), "what both are, which takes two lines.") | {"third": "one line."}
    assert {name: described(text)[name] for name in expected} == expected


def test_types_are_written_in_words():
    assert type_name(list[int] | None) == "list of integer or null"
    assert type_name(dict[str, float]) == "object of number"


def test_the_reference_is_written_by_make_docs():
    assert "-m reference" in text_of(ROOT / "Makefile")
