"""
brat's standoff: one document with one sentence per line as a pair of files, or a folder with one pair per source file.

The model's name and the score of a predicted entity are written as a brat note. The other fields of a sentence follow
in the note of its first entity, because brat has no notes on sentences.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, groupby
from typing import Any

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.output_file import BREAKS, output_file, without
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer


@Writer.register("standoff")
class StandoffWriter(Writer):
    holds_discontinuous = True
    holds_relations = True

    @overrides
    def write(self, sentences: Iterable[ScoredSentence], path: str, left_out: Repairs) -> None:
        held = self.held(sentences, left_out)
        if path.endswith((".ann", ".txt")):
            _write_pair(held, path[:-4], left_out)
            return
        if os.path.isdir(path) and os.listdir(path):
            raise ConfigurationError(f"{path} already exists and is not empty. Remove it, or pass another --output.")
        os.makedirs(path, exist_ok=True)
        taken = set()
        for file, group in groupby(held, key=lambda scored: scored.sentence.source.rpartition(":")[0]):
            stem = name = os.path.splitext(os.path.basename(file.removesuffix(".gz")))[0] or "document"
            number = 1
            while name in taken:
                number += 1
                name = f"{stem}_{number}"
            taken.add(name)
            _write_pair(group, os.path.join(path, name), left_out)


def _write_pair(sentences: Iterable[ScoredSentence], stem: str, left_out: Repairs) -> None:
    # Running numbers of entities, relations and notes.
    ids = {kind: count(1) for kind in "TR#"}
    with output_file(f"{stem}.txt") as texts, output_file(f"{stem}.ann") as annotations:
        start = 0
        for scored in sentences:
            # A line end inside the sentence would split it, and brat does not allow annotations across lines.
            text = scored.sentence.characters()[0].replace("\r", " ").replace("\n", " ")
            texts.write(f"{text}\n")
            annotations.writelines(_rows(scored, text, start, ids, left_out))
            start += len(text) + 1


def _rows(
    scored: ScoredSentence, text: str, start: int, ids: Mapping[str, Iterator[int]], left_out: Repairs
) -> Iterator[str]:
    sentence = scored.sentence
    offsets = sentence.characters()[1]
    keys = {}
    for entity in sentence.entities:
        keys[entity] = f"T{next(ids['T'])}"
        fragments = [(offsets[first][0], offsets[last - 1][1]) for first, last in entity.fragments]
        places = ";".join(f"{start + begin} {start + end}" for begin, end in fragments)
        words = " ".join(text[begin:end] for begin, end in fragments)
        yield f"{keys[entity]}\t{_type(entity.type, sentence, left_out)} {places}\t{words}\n"
        notes = [f"{scored.model} {scored.entity_scores[entity]:.4f}"] if scored.is_predicted else []
        if len(keys) == 1 and scored.fields:
            notes.append(_fields(scored.fields))
        if notes:
            yield f"#{next(ids['#'])}\tAnnotatorNotes {keys[entity]}\t{'; '.join(notes)}\n"
    for relation in sentence.relations:
        arguments = f"Arg1:{keys[relation.head]} Arg2:{keys[relation.tail]}"
        yield f"R{next(ids['R'])}\t{_type(relation.type, sentence, left_out)} {arguments}\n"


def _fields(fields: Mapping[str, Any]) -> str:
    """The fields on one line: `source: train.conll:7; suspected: …`."""
    shown = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
    return " ".join("; ".join(f"{name}: {value}" for name, value in shown.items()).split())


def _type(type: str, sentence: Sentence, left_out: Repairs) -> str:
    """A type, which must be one word in brat."""
    return "_".join(without(BREAKS, type, sentence, left_out).split()) or "_"
