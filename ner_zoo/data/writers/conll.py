"""
A column file: a token, a tab and its tag, and an empty line after each sentence.
"""

from collections.abc import Iterable

from overrides import overrides

from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tag_schemes import check_scheme, tags_from_entities
from ner_zoo.data.writers.output_file import BREAKS, output_file, without
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer


@Writer.register("conll")
class ConllWriter(Writer):
    """scheme : the tag scheme."""

    holds_overlapping = False

    def __init__(self, scheme: str = "BIO") -> None:
        self.scheme = check_scheme(scheme)

    @overrides
    def write(self, sentences: Iterable[ScoredSentence], path: str, left_out: Repairs) -> None:
        with output_file(path) as file:
            for number, scored in enumerate(self.held(sentences, left_out)):
                sentence = scored.sentence
                if number == 0 and sentence.tokens[0].startswith("\ufeff"):
                    file.write("\n")  # otherwise it would be read as a byte order mark
                tags = tags_from_entities(sentence.entities, len(sentence.tokens), self.scheme)
                for token, tag in zip(sentence.tokens, tags):
                    word, tag = (without(BREAKS, field, sentence, left_out) for field in (token, tag))
                    file.write(f"{word}\t{tag}\n")
                file.write("\n")
