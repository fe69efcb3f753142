"""
CoNLL-U with tags under the key NER in MISC; lemmas, parts of speech and heads are left empty.
"""

from collections.abc import Iterable, Iterator

from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tag_schemes import tags_from_entities
from ner_zoo.data.writers.output_file import BREAKS, output_file, without
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer


@Writer.register("conllu")
class ConlluWriter(Writer):
    holds_overlapping = False

    @overrides
    def write(self, sentences: Iterable[ScoredSentence], path: str, left_out: Repairs) -> None:
        with output_file(path) as file:
            for number, scored in enumerate(self.held(sentences, left_out), 1):
                file.write(f"# sent_id = {number}\n# text = {' '.join(scored.sentence.characters()[0].split())}\n")
                file.writelines(_rows(scored.sentence, left_out))
                file.write("\n")


def _rows(sentence: Sentence, left_out: Repairs) -> Iterator[str]:
    text, offsets = sentence.characters()
    tags = tags_from_entities(sentence.entities, len(sentence.tokens), "BIO")
    for place, (token, tag, (_, end)) in enumerate(zip(sentence.tokens, tags, offsets), 1):
        misc = [f"NER={without('|' + BREAKS, tag, sentence, left_out)}"]
        if (place < len(offsets) and offsets[place][0] == end) or (place == len(offsets) and end == len(text)):
            misc.append("SpaceAfter=No")
        word = without(BREAKS, token, sentence, left_out)
        yield f"{place}\t{word}" + "\t_" * 7 + f"\t{'|'.join(misc)}\n"
