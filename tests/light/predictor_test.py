"""An exported model gives the same results as its original, for any text."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ner_zoo.light import load, load_predictor
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.options import Options
from tests.light.random_models import MODELS, is_close, light_predictor, random_export, random_predictor
from tests.trained_models import demo_texts

EVERY_MODEL = pytest.mark.parametrize("name", MODELS)
LONG = " ".join(f"Word{number}" for number in range(700))
HARD = ["", " \n\t", LONG, "Ada\u200b Lovelace 👩‍🔬 in 東京\x00 met \ud800!", "@@UNKNOWN@@ @@PADDING@@ naïve"]
WORDS = st.sampled_from(
    ["Edda", "Abernathy", "lives", "in", "Kestrel", "Bay", ".", "NASA", "3-4", "naïve", "東", "#a1"]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=25).map(" ".join))


@EVERY_MODEL
def test_an_export_says_the_same_as_the_model_of_real_and_of_hard_texts(name: str) -> None:
    inputs = [{"text": text} for text in [*demo_texts()[:30], *HARD]]
    inputs += [{"tokens": []}, {"tokens": ["Ada", " ", "\u200b"]}, {"tokens": [""]}, {"tokens": 3}, {"other": "x"}]
    expected = random_predictor(name).predict_all(inputs)
    found = light_predictor(name).predict_all(inputs)
    assert sum(len(output.get("entities", ())) for output in expected) > 20
    assert [number for number, pair in enumerate(zip(expected, found)) if not is_close(*pair)] == []


@EVERY_MODEL
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_an_export_says_the_same_as_the_model_of_any_texts(name: str, texts: list[str]) -> None:
    inputs = [{"text": text} for text in texts]
    assert is_close(light_predictor(name).predict_all(inputs), random_predictor(name).predict_all(inputs))


@pytest.mark.parametrize("name", ["tagger", "tagger_softmax", "joint"])
def test_the_best_taggings_are_the_same(name: str) -> None:
    inputs = [{"text": text} for text in demo_texts()[:12]]
    options = [Options(top_k=3, threshold=0.1)] * len(inputs)
    expected = random_predictor(name).predict_all(inputs, options)
    assert all(len(output["taggings"]) == 3 for output in expected)
    assert is_close(light_predictor(name).predict_all(inputs, options), expected)


def test_a_misspelt_option_is_refused_by_its_name(tmp_path: Path) -> None:
    random_export("tagger").write(str(tmp_path / "model.ner"))
    with pytest.raises(ConfigurationError, match="no option 'treshold' .* Use one of threshold, top_k, nested"):
        load_predictor(str(tmp_path / "model.ner"), {"treshold": 0.5})


def test_a_model_without_taggings_refuses_top_k() -> None:
    assert "no taggings" in light_predictor("span_greedy").predict_all([{"text": "a"}], [Options(top_k=2)])[0]["error"]


def test_relations_between_given_entities_are_the_same() -> None:
    tokens = "Edda Abernathy of Kestrel Labs lives in Port Sel .".split()
    entities = [[0, 2, "PER"], [3, 5, "ORG"], [7, 9, "LOC"]]
    inputs = [
        {"tokens": tokens, "entities": entities},
        {"tokens": tokens},
        {"tokens": ["a"], "entities": [[0, 9, "X"]]},
    ]
    expected = random_predictor("joint").predict_all(inputs)
    assert expected[0]["relations"] and "error" in expected[2]
    assert is_close(light_predictor("joint").predict_all(inputs), expected)


def test_a_loaded_export_is_used_as_a_loaded_archive(tmp_path: Path) -> None:
    path = str(tmp_path / "model.ner")
    random_export("joint").write(path)
    model = load(path)
    assert model.labels == ("LOC", "ORG", "PER", "PROD")
    text = demo_texts()[0]
    assert [doc.text for doc in model.pipe([text, "b"])] == [text, "b"]
    assert is_close(model(text).to_dict(), random_predictor("joint").predict_all([{"text": text}])[0])
    with pytest.raises(ConfigurationError, match="pipe"):
        model([text])  # type: ignore[arg-type]


def test_an_export_runs_where_torch_and_allennlp_are_not_installed(tmp_path: Path) -> None:
    random_export("tagger").write(str(tmp_path / "model.ner"))
    code = """
import sys
class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "allennlp", "spacy", "transformers", "numba", "overrides", "onnx"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, NotInstalled())
import time
from ner_zoo.light import load
model = load(sys.argv[1])
print(len(model("Ada Lovelace lived in London.").tokens), time.process_time() < 3)
try:
    from ner_zoo import load
except ImportError as error:
    print(error)
"""
    command = [sys.executable, "-c", code, str(tmp_path / "model.ner")]
    finished = subprocess.run(command, capture_output=True, text=True)
    assert finished.stdout.splitlines()[0] == "6 True", finished.stderr
    assert "allennlp" in finished.stdout.splitlines()[1]
