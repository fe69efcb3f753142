"""The reference describes everything that can be configured, called or read, and is up to date with the code."""

import json
import re
import xml.etree.ElementTree as ElementTree
from zipfile import ZipFile

import pytest
from allennlp.common import Registrable

from ner_zoo.analysis.files import write_files
from ner_zoo.service.schema import Prediction
from ner_zoo.workbench.selection import SelectionOptions
from reference import command_line, config_parts, pages, parts, pictures, python_api
from reference.files import FILES
from reference.options import described, type_name
from tests.analysis.examples import example
from tests.architecture_test import LAYERS
from tests.docs_pages import DOCS, ROOT, text_of
from tests.light.random_models import random_export
from tests.trained_models import joint_archive, tagger_archive
from tests.workbench import suggest_test

__all__ = ["joint_archive", "tagger_archive"]

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


def fields_of(name):
    return set(FILES[name][1])


def score_name(key):
    """The field of `metrics.json` that describes a key: numbers of processes and names of types have one for all."""
    key = re.sub(r"_worker_\d+_", "_worker_N_", key)
    if key.startswith("best_validation_"):
        return "best_SCORE"
    return "SCORE/TYPE" if "/" in key else key


@pytest.mark.parametrize("model", ["tagger_archive", "joint_archive"])
def test_the_metrics_of_a_training_are_those_of_real_runs(model, request):
    told = fields_of("`metrics.json` of `allennlp train`")
    folder = request.getfixturevalue(model).parent
    keys = {score_name(key) for key in json.loads((folder / "metrics.json").read_text())}
    assert keys <= told
    relations = {field for field in told if "relation" in field}
    assert told - keys == {"validation_typing_accuracy"} | (relations if model == "tagger_archive" else set())
    epoch = {score_name(key) for key in json.loads((folder / "metrics_epoch_0.json").read_text())}
    assert epoch <= told


def test_the_files_of_an_analysis_are_those_of_a_real_one(tmp_path):
    write_files(tmp_path, example(types=3, has_relations=True, has_rival=True, is_calibrated=True, sentences=40))
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    assert set(metrics) == fields_of("`metrics.json` of `allennlp analyze`")
    errors = [json.loads(line) for line in (tmp_path / "errors.jsonl").read_text().splitlines()]
    assert {key for one in errors for key in one} == fields_of("`errors.jsonl` of `allennlp analyze`")
    noise = [json.loads(line) for line in (tmp_path / "noise.jsonl").read_text().splitlines()]
    told = fields_of("`clean.jsonl` of `allennlp clean`, `noise.jsonl` of `allennlp analyze`")
    assert {key for one in noise for key in one} == told - {"action", "outcome", "lost_relations"}


def test_what_suggest_writes_is_described(tagger_archive, tmp_path):
    texts = tmp_path / "texts.txt"
    texts.write_text("Edda Abernathy left Port Amber.\nCobalt Corp hired Mara.\n", encoding="utf-8")
    rows = suggest_test.run(suggest_test.task(tagger_archive, [str(texts)], tmp_path, selection=SelectionOptions(2)))
    prediction = set(Prediction.model_fields) - {"taggings"}
    assert set(rows[0]) == prediction | fields_of("Output of `allennlp suggest`")
    record = json.loads((tmp_path / "next.jsonl.run.json").read_text())
    assert set(record) == fields_of("`OUTPUT.run.json` of `allennlp annotate` and `suggest`")


def test_what_an_export_holds_is_described(tmp_path):
    random_export("tagger").write(str(tmp_path / "model.ner"))
    with ZipFile(tmp_path / "model.ner") as file:
        assert set(json.loads(file.read("export.json"))) == fields_of("`export.json` of `allennlp export`")


def test_the_record_of_every_json_format_is_shown(written):
    for name in ("argilla", "doccano", "gliner_json", "label_studio", "prodigy", "span_json"):
        assert f"### `{name}`\n" in written["json.md"]


@pytest.mark.parametrize("file", COMPARISONS, ids=lambda file: file.stem)
def test_the_fields_of_a_comparison_are_those_of_real_ones(file):
    told = FILES["`compare.json` of `allennlp compare`"][1]
    content = json.loads(file.read_text(encoding="utf-8"))
    top = {field for field in told if "." not in field}
    content.pop("parts", None)  # results/join.py adds them, allennlp compare does not.
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


def test_the_picture_of_the_packages_shows_every_layer_from_top_to_bottom(written):
    drawn = ElementTree.fromstring(written["packages.svg"])
    heights = {one.text: float(one.get("y", 0)) for one in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert set().union(*LAYERS) == set(pictures.PACKAGES) <= set(heights)
    rows = [{heights[name] for name in names} for names in LAYERS]
    assert all(len(row) == 1 for row in rows) and rows == sorted(rows, key=min)


def test_the_picture_of_the_path_of_a_sentence_names_what_is_there(written):
    ElementTree.fromstring(written["sentence.svg"])
    places = [step.path for step in (*pictures.STEPS, pictures.LOSS)] + list(pictures.OUTPUTS.values())
    assert [place for place in places if not (ROOT / "ner_zoo" / place).exists()] == []
