"""
Train on nested entities in a brat folder, and predict.

    python examples/nested_from_brat.py [FOLDER]
"""

import itertools
import json
from pathlib import Path

from steps import allennlp, folder, write_config

PLACES = ("Aubray", "Kestrelford", "Port Sel", "Lower Min", "Harth", "Osmere")
KINDS = ("University of {}", "{} Town Council", "Bank of {}", "{} Football Club")
TEXTS = ("Yesterday {} announced a new plan.", "She has worked for {} since spring.", "Critics of {} were silent.")
EXPERIMENT = """
experiment + use.corpus('standoff', '{place}/train', '{place}/dev')
+ use.span(max_width=6, batch_size=4) + use.learned_words(50) + use.characters() + use.bilstm(50) + use.nested + use.nll
+ {{ trainer+: {{ num_epochs: 20, patience: null, optimizer+: {{ lr: 0.01 }} }} }}
"""


def write_brat(place: Path) -> None:
    """Write documents that each mention an organisation with a place in its name."""
    for number, (name, kind, text) in enumerate(itertools.product(PLACES, KINDS, TEXTS)):
        split = place / ("dev" if number % 6 == 0 else "train")
        split.mkdir(parents=True, exist_ok=True)
        organisation = kind.format(name)
        start = text.index("{}")
        inner = start + organisation.index(name)
        rows = [("T1", "ORG", start, organisation), ("T2", "LOC", inner, name)]
        lines = [f"{key}\t{type} {begin} {begin + len(words)}\t{words}\n" for key, type, begin, words in rows]
        (split / f"{number:03}.txt").write_text(text.format(organisation) + "\n", encoding="utf-8")
        (split / f"{number:03}.ann").write_text("".join(lines), encoding="utf-8")


def main() -> None:
    place = folder()
    write_brat(place)
    allennlp("inspect", place / "train")
    config = write_config(place / "nested.jsonnet", EXPERIMENT.format(place=place))
    allennlp("train", config, "-s", place / "run", "--force")
    (place / "input.txt").write_text("Nobody told the University of Osmere.\n", encoding="utf-8")
    output = place / "predictions.jsonl"
    allennlp("predict", place / "run" / "model.tar.gz", place / "input.txt", "--output-file", output, "--silent")
    for entity in json.loads(output.read_text(encoding="utf-8"))["entities"]:
        print(f"{entity['type']:>5}  {entity['text']}  {entity['score']:.2f}")


if __name__ == "__main__":
    main()
