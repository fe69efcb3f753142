"""
From a dictionary and raw text to a cleaned corpus and a model: the steps of docs/from_dictionary.md, with its commands.

    python -m results.dictionary_walk demo conll04 ec -o docs/results/labels/dictionary_walk.json

`demo` is what the page says, with its config and the bundled files. `conll04` is CoNLL04, whose labels are forgotten,
with a dictionary of every other name in them. `ec` is EC: 2,560 Chinese texts of online shopping, one character to the
token, whose published labels are forgotten, and the four dictionaries published with them. One seed; the best epoch is
chosen on dev, and test is only reported. What is trained is not trained again.
"""

import argparse
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allennlp.common import Params

from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.weak import WeakLabels
from results.comparison import ROOT, data
from results.label_errors.corpus import f1

PAGE = ROOT / "docs" / "from_dictionary.md"
FOLDS, ABOVE = 3, 0.8
CONLL04 = """\
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';

experiment + use.conll04
+ use.weak([use.dictionary({
  [type]: '{folder}/' + type
  for type in ['Peop', 'Org', 'Loc', 'Other']
})], keep_annotation=false)
+ use.tagger + use.glove + use.characters(dim=16, filters=10) + use.bilstm(64, 0.2, 0.3) + use.crf + use.nll
+ { trainer+: { num_epochs: 8, optimizer+: { lr: 0.004 } } }
"""
EC = """\
local experiment = import 'ner_zoo/experiment.libsonnet';
local use = import 'ner_zoo/use.libsonnet';
local data = std.extVar('NER_ZOO_DATA') + '/ec/';

experiment + use.corpus('ec', data + 'ds_fa', data + 'dev')
+ use.weak([use.dictionary({
  pp: data + 'dict/Brand',
  cp: data + 'dict/Product',
  xh: data + 'dict/Model',
  gg: data + 'dict/Specification',
}, case='ignore')], keep_annotation=false)
+ use.tagger + use.learned_words(50) + use.bilstm(64, 0.2, 0.3) + use.crf + use.nll + use.batches(32)
+ { trainer+: { num_epochs: 8, optimizer+: { lr: 0.005 } } }
"""


@dataclass(frozen=True)
class Walk:
    """name : of the corpus. config : the text of weak.jsonnet. reader, dev, test : its annotated files."""

    name: str
    config: str
    reader: str
    dev: str
    test: str


def walks() -> dict[str, Walk]:
    found = re.search(r"```jsonnet\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    demo = Walk("demo", found[1], "span_json", "fixtures/demo/dev.jsonl", "fixtures/demo/test.jsonl")
    conll04 = Walk("conll04", CONLL04, "conll04", f"{data()}/conll04/dev.txt", f"{data()}/conll04/test.txt")
    ec = Walk("ec", EC, "ec", f"{data()}/ec/dev", f"{data()}/ec/test")
    return {one.name: one for one in (demo, conll04, ec)}


def write_half_of_the_names(folder: Path) -> None:
    """Every other name of the training data of CoNLL04, one file for each type."""
    names: dict[str, set[str]] = {}
    for sentence in Corpus.by_name("conll04")().sentences(f"{data()}/conll04/train.txt", Repairs()):
        for entity in sentence.entities:
            names.setdefault(entity.type, set()).add(" ".join(sentence.tokens[entity.start : entity.end]))
    for type, some in names.items():
        (folder / type).write_text("\n".join(sorted(some)[::2]) + "\n", encoding="utf-8")


def allennlp(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "allennlp", *arguments], check=True, cwd=ROOT)


def dictionary_f1(config: Path, walk: Walk) -> float:
    """Of the dictionary alone, on the test file."""
    weak = Params.from_file(str(config)).as_dict(quiet=True)["dataset_reader"]["weak"]
    labels = WeakLabels.from_params(Params({**weak, "keep_annotation": False}))
    gold = list(Corpus.by_name(walk.reader)().sentences(str(ROOT / walk.test), Repairs()))
    made = [sentence for _, sentence in labels(enumerate(gold), Repairs())]
    return f1([set(one.entities) for one in gold], [set(one.entities) for one in made]) or 0.0


def step(folder: Path, name: str, walk: Walk, overrides: str = "") -> dict[str, float]:
    """Train and evaluate, as the page says."""
    run, config = folder / name, str(folder / "weak.jsonnet")
    if not (run / "model.tar.gz").exists():
        allennlp("train", config, "-s", str(run), "--force", *(["-o", overrides] if overrides else []))
    allennlp("evaluate", str(run / "model.tar.gz"), walk.test, "--output-file", str(run / "test.json"))
    dev, test = (json.loads((run / file).read_text()) for file in ("metrics.json", "test.json"))
    scores = {f"test_{key}": test[f"entity_{key}"] for key in ("f1", "precision", "recall")}
    return {"dev_f1": dev["best_validation_entity_f1"], **scores}


def measure(walk: Walk, folder: Path) -> dict[str, Any]:
    folder = folder.resolve() / walk.name
    folder.mkdir(parents=True, exist_ok=True)
    config, clean = folder / "weak.jsonnet", folder / "clean"
    config.write_text(walk.config.replace("{folder}", str(folder)), encoding="utf-8")
    if walk.name == "conll04":
        write_half_of_the_names(folder)
    found: dict[str, Any] = {"folds": FOLDS, "above": ABOVE, "dictionary": {"test_f1": dictionary_f1(config, walk)}}
    found["weak"] = step(folder, "weak", walk)
    options = ["--folds", str(FOLDS), "--apply", "replace", "--above", str(ABOVE), "--kinds", "missing", "--jobs", "1"]
    allennlp("clean", str(config), "-s", str(clean), *options)
    changes = [json.loads(line) for line in (clean / "changes.jsonl").open(encoding="utf-8")]
    applied = [one["kind"] for one in changes if one["outcome"] == "applied"]
    found["applied"] = {kind: applied.count(kind) for kind in ("missing", "spurious", "type", "boundary")}
    reader = "{dataset_reader+: {weak:: null}, validation_dataset_reader+: {type: '" + walk.reader + "'}}"
    parts = f"use.corpus('span_json', '{clean}/cleaned.jsonl', '{walk.dev}') + {reader}"
    found["cleaned"] = step(folder, "cleaned", walk, parts)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m results.dictionary_walk", description=__doc__)
    known = walks()
    parser.add_argument("corpora", nargs="+", choices=list(known))
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--folder", type=Path, default=Path("out") / "dictionary_walk", help="where models go")
    arguments = parser.parse_args()
    found = json.loads(arguments.output.read_text()) if arguments.output.exists() else {}
    for name in arguments.corpora:
        found[name] = measure(known[name], arguments.folder)
        arguments.output.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
