"""Config parts: importable from any folder, in any order, and with -o."""

import json
import re
from pathlib import Path

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import evaluate_snippet
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
CONFIGS = sorted((ROOT / "training_config").rglob("*.jsonnet"))
PRELUDE = "local experiment = import 'ner_zoo/experiment.libsonnet'; local use = import 'ner_zoo/use.libsonnet';\n"
# Typical combinations: one of each line, and any of the extras except two that set the same thing.
MODELS = [
    ["use.tagger", "use.crf", "use.bilstm(7)"],
    ["use.span()", "use.bilstm(7)"],
    ["use.span(max_width=3)", "use.nested", "use.pass_through"],
    ["use.span()", "use.typing()"],
    ["use.span()", "use.biaffine()", "use.bilstm(7)"],
    ["use.roseq_base"],
    ["use.hinge_tagger"],
    ["use.joint_relation()", "use.softmax", "use.bilstm(7)"],
]
KINDS = [
    ["use.demo", "use.wnut17", "use.conll04", "use.corpus('conll', 'a', 'b', { lowercase: true })"],
    ["use.words(dim=5)", "use.glove", "use.learned_words(8)", "use.encoder('x')", "use.encoder('x', frozen=true)"],
    ["use.english", "use.chinese", "use.characters()", "use.orthography()", "use.elmo()"],
    ["use.nll", "use.hinge_yu('LOC')", "use.nrces(w=2)"],
]
EXTRAS = [
    "use.scheme('BIOES')",
    "use.missing(0.5)",
    "use.plus_focal()",
    "use.adversarial_training()",
    "use.minimum_risk(3)",
    "use.scheduled_sampling()",
    "use.fusion(9)",
    "use.moving_average()",
    "use.label_aware_crf()",
    "use.adadelta",
]
CLASHES = [
    *(("use.label_aware_crf()", head) for head in ("use.crf", "use.softmax", "use.biaffine()")),
    *((spans, "use.fusion(9)") for spans in ("use.typing()", "use.biaffine()")),
]


def evaluated(*sums):
    """The configs of sums of terms, in one evaluation, because most of the time is Jsonnet's startup."""
    text = ",\n".join(" + ".join(terms) for terms in sums)
    return json.loads(evaluate_snippet("test.jsonnet", f"{PRELUDE}[{text}]", ext_vars={"NER_ZOO_DATA": "data"}))


def terms_of(text):
    """The terms of a sum: `use.PART(...)`, an object, an import."""
    text = re.sub(r"^(local (experiment|use) = .*|//.*)$", "", text, flags=re.MULTILINE)
    found, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        if letter == "+" and depth == 0:
            found.append(text[start:place])
            start = place + 1
    return [term.strip() for term in [*found, text[start:]]]


@settings(max_examples=4, deadline=None)
@given(st.data())
def test_the_parts_of_a_config_may_come_in_any_order(data):
    sums = []
    for path in data.draw(st.lists(st.sampled_from(CONFIGS), min_size=8, max_size=8, unique=True)):
        text = re.sub(r"import '(\w+\.jsonnet)'", rf"import '{path.parent}/\1'", path.read_text(encoding="utf-8"))
        first, *others = terms_of(text)
        parts = [term for term in others if term.startswith("use.")]
        special = [term for term in others if not term.startswith("use.")]
        sums += [[first, *parts, *special], [first, *data.draw(st.permutations(parts)), *special]]
    configs = evaluated(*sums)
    assert configs[::2] == configs[1::2]


@settings(max_examples=4, deadline=None)
@given(st.data())
def test_parts_that_fit_each_other_may_come_in_any_order(data):
    sums = []
    for _ in range(8):
        parts = data.draw(st.sampled_from(MODELS)) + [data.draw(st.sampled_from(kind)) for kind in KINDS]
        extras = data.draw(st.lists(st.sampled_from(EXTRAS), unique=True))
        parts += [one for one in extras if not any(set(clash) <= {one, *parts} for clash in CLASHES)]
        sums += [["experiment", *parts], ["experiment", *data.draw(st.permutations(parts))]]
    configs = evaluated(*sums)
    assert configs[::2] == configs[1::2]


def test_a_corpus_after_the_words_keeps_their_indexers():
    parts = ["use.words(dim=50)", "use.demo", "use.tagger", "use.bilstm()", "use.crf", "use.nll"]
    (config,) = evaluated(["experiment", *parts])
    assert list(config["dataset_reader"]["token_indexers"]) == ["words"]


def test_single_parts_beat_systems_and_encoders_beat_the_inputs_of_a_language():
    tagger = ["experiment", "use.wnut17", "use.label_aware_crf()", "use.glove", "use.roseq_base"]
    span = ["experiment", "use.ec", "use.span()", "use.chinese", "use.nll"]
    roseq, plain, encoder = (one["model"] for one in evaluated(tagger, span, [*span, "use.encoder('x')"]))
    assert roseq["head"]["type"] == "label_aware_crf"
    assert list(plain["embedder"]["token_embedders"]) == ["words"] and plain["encoder"]["type"] == "padded_lstm"
    assert list(encoder["embedder"]["token_embedders"]) == ["encoder"] and encoder["encoder"] == "pass_through"


def test_a_reader_that_overwrites_the_indexers_is_refused_with_what_to_write():
    own = "{ dataset_reader: { type: 'conll', token_indexers: {} }, train_data_path: 'a', validation_data_path: 'b' }"
    with pytest.raises(RuntimeError, match=r"no indexers for words. Write dataset_reader\+:"):
        evaluated(["experiment", "use.tagger", "use.words()", "use.bilstm()", "use.crf", "use.nll", own])


def test_a_config_in_any_folder_finds_the_parts_and_the_files_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NER_ZOO_DATA", "data")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "own.libsonnet").write_text("{ loss:: 'hinge' }")
    (tmp_path / "inner" / "base.jsonnet").write_text(
        PRELUDE
        + "experiment + use.wnut17 + use.tagger + use.words(dim=5) + use.bilstm(3) + use.crf + import 'own.libsonnet'"
    )
    (tmp_path / "top.jsonnet").write_text("(import 'inner/base.jsonnet') + { trainer+: { num_epochs: 1 } }")
    config = Params.from_file("top.jsonnet").as_dict(quiet=True)
    assert config["model"]["loss"] == "hinge" and config["trainer"]["num_epochs"] == 1
    assert config["train_data_path"] == "data/wnut17/wnut17train.conll"


def test_a_missing_import_is_refused_with_the_available_ones(tmp_path):
    (tmp_path / "a.jsonnet").write_text("import 'ner_zoo/uses.libsonnet'")
    with pytest.raises(ConfigurationError, match=r"no ner_zoo/uses.libsonnet .*ner_zoo/use.libsonnet"):
        Params.from_file(str(tmp_path / "a.jsonnet"))


@pytest.mark.parametrize("path", [ROOT / "training_config" / "demo.jsonnet", "training_config/demo.jsonnet"])
def test_parts_can_be_added_by_an_override(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    config = Params.from_file(str(path), "use.encoder('x', frozen=true) + use.hinge").as_dict(quiet=True)
    assert config["model"]["loss"] == "hinge" and "encoder" in config["dataset_reader"]["token_indexers"]
    assert config["trainer"]["num_epochs"] == 15


def test_parts_are_not_added_to_a_config_that_is_not_made_of_parts(tmp_path):
    (tmp_path / "config.json").write_text('{"model": {"type": "tagger"}}')
    with pytest.raises(ConfigurationError, match="built from parts"):
        Params.from_file(str(tmp_path / "config.json"), "use.hinge")
