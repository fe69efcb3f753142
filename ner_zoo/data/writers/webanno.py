"""
WebAnno TSV 3.3 for INCEpTION: entities in the layer NamedEntity, relations in a relation layer on it.

INCEpTION projects have the first layer by default; the second, `webanno.custom.Relation` with a feature `label`, must
be created before the import, and is written only if there are relations.
"""

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from itertools import count
from typing import TextIO

from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.corpora import utf16
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.output_file import output_file
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer

NAMED_ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
HEADER = f"#FORMAT=WebAnno TSV 3.3\n#T_SP={NAMED_ENTITY}|value\n"
RELATIONS = f"#T_RL=webanno.custom.Relation|label|BT_{NAMED_ENTITY}\n"
RESERVED = re.compile(r"->|[\\\[\]|_;*]")
LINE_ENDS = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


@Writer.register("webanno")
class WebannoWriter(Writer):
    holds_relations = True

    @overrides
    def write(self, sentences: Iterable[ScoredSentence], path: str, left_out: Repairs) -> None:
        # Whether there are relations is known only at the end, but must be written at the beginning.
        with tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as body:
            has_relations = self._write_body(sentences, body, left_out)
            body.seek(0)
            with output_file(path) as file:
                file.write(HEADER + (RELATIONS if has_relations else "") + "\n\n")
                if has_relations:
                    shutil.copyfileobj(body, file)
                else:
                    # Rows end with the two empty columns of the relation layer.
                    file.writelines(line.replace("\t_\t_\t\n", "\t\n") for line in body)

    def _write_body(self, sentences: Iterable[ScoredSentence], body: TextIO, left_out: Repairs) -> bool:
        has_relations, start, numbers = False, 0, count(1)
        for place, scored in enumerate(self.held(sentences, left_out), 1):
            sentence = scored.sentence
            has_relations |= bool(sentence.relations)
            text, offsets = sentence.characters()
            text = text[offsets[0][0] : offsets[-1][1]]
            body.writelines(f"#Text={_escaped_text(line)}\n" for line in text.split("\n"))
            body.writelines(_rows(sentence, place, start, numbers))
            body.write("\n")
            start += utf16.length(text) + 1
        return has_relations


def _rows(sentence: Sentence, place: int, start: int, numbers: Iterator[int]) -> Iterator[str]:
    text, offsets = sentence.characters()
    cells: list[list[Entity]] = [[] for _ in offsets]
    for entity in sentence.entities:
        for token in range(entity.start, entity.end):
            cells[token].append(entity)
    ids: dict[Entity, int] = {}
    for entity in sentence.entities:
        is_ambiguous = entity.width > 1 or len(cells[entity.start]) > 1
        ids[entity] = next(numbers) if is_ambiguous else 0
    for token, (begin, end) in enumerate(offsets):
        first = start + utf16.length(text[offsets[0][0] : begin])
        last = first + utf16.length(text[begin:end])
        entities = "|".join(_numbered(_escaped(entity.type), ids[entity]) for entity in cells[token]) or "_"
        arcs = [relation for relation in sentence.relations if relation.tail.start == token]
        labels = "|".join(_escaped(r.type) for r in arcs) or "_"
        heads = "|".join(_head(place, r.head, ids[r.head], ids[r.tail]) for r in arcs) or "_"
        word = _escaped_text(text[begin:end])
        yield f"{place}-{token + 1}\t{first}-{last}\t{word}\t{entities}\t{labels}\t{heads}\t\n"


def _numbered(value: str, number: int) -> str:
    return f"{value}[{number}]" if number else value


def _head(place: int, head: Entity, number: int, own: int) -> str:
    """Where a relation starts: the first token of its head, with the numbers of both arguments if any."""
    return f"{place}-{head.start + 1}" + (f"[{number}_{own}]" if number or own else "")


def _escaped_text(text: str) -> str:
    return "".join(LINE_ENDS.get(character, character) for character in text.replace("\\", "\\\\"))


def _escaped(value: str) -> str:
    escaped = RESERVED.sub(lambda match: "\\" + match[0], value)
    return "".join(LINE_ENDS.get(character, character) for character in escaped)
