"""
Measures how well the distant labels of EC and NEWS can be reproduced from the dictionaries published with them.

    python -m results.weak_agreement -o docs/results/weak_agreement.json

The texts are those of `ds_fa`; its labels are discarded, recreated by longest match with the dictionaries, and compared
entity by entity with those of `ds_fa`. Entities that are in no dictionary are counted too: they cannot be found by
matching. `ds_pa` is recreated in the same way, with uncovered tokens unknown.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.dictionary_source import Dictionary
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.weak import WeakLabels
from results.comparison import data

# The types of the corpora, and the files of their dictionaries. EC's distant labels have no `yl` (materials).
FILES: dict[str, dict[str, list[str]]] = {
    "ec": {"pp": ["Brand"], "cp": ["Product"], "xh": ["Model"], "gg": ["Specification"], "yl": ["Material"]},
    "ec without materials": {"pp": ["Brand"], "cp": ["Product"], "xh": ["Model"], "gg": ["Specification"]},
    "news": {"PER": ["PERSON"]},
    "news with additional names": {"PER": ["PERSON", "Additional Name"]},
}


def agreement(name: str) -> dict[str, Any]:
    corpus = name.split()[0]
    folder = Path(data()) / corpus
    dictionaries = [
        Dictionary({type: str(folder / "dict" / file)}, case="ignore")
        for type, files in FILES[name].items()
        for file in files
    ]
    weak = WeakLabels([*dictionaries], keep_annotation=False)
    reader = Corpus.by_name(corpus)()
    gold = list(reader.sentences(str(folder / "ds_fa"), Repairs()))
    made = [sentence for _, sentence in weak(enumerate(gold), Repairs())]
    names = {name.casefold() for dictionary in dictionaries for name, _ in dictionary._entries()}
    partial = list(reader.sentences(str(folder / "ds_pa"), Repairs()))
    unknown = WeakLabels([*dictionaries], uncovered="UNKNOWN", keep_annotation=False)
    same = [one == other for one, (_, other) in zip(partial, unknown(enumerate(partial), Repairs()))]
    found = {"types": sorted({e.type for s in gold for e in s.entities}), **compared(gold, made, names)}
    return {**found, "sentences_equal_to_ds_pa": sum(same)}


def compared(gold: list[Sentence], made: list[Sentence], names: set[str]) -> dict[str, Any]:
    def entities(sentences: list[Sentence]) -> set[tuple[int, Entity]]:
        return {(number, entity) for number, sentence in enumerate(sentences) for entity in sentence.entities}

    theirs, ours = entities(gold), entities(made)
    common = len(theirs & ours)
    texts = ["".join(gold[number].tokens[e.start : e.end]).casefold() for number, e in theirs]
    return {
        "sentences": len(gold),
        "theirs": len(theirs),
        "ours": len(ours),
        "both": common,
        "precision": round(100 * common / max(len(ours), 1), 2),
        "recall": round(100 * common / max(len(theirs), 1), 2),
        "theirs_in_no_dictionary": sum(text not in names for text in texts),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m results.weak_agreement", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    output = parser.parse_args().output
    found = {name: agreement(name) for name in FILES}
    output.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
