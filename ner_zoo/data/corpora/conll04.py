"""
CoNLL04, entities and relations: number, token, BIO tag, list of relations, list of heads.

    # doc 7                                          no empty line: this row starts the next sentence
    0   Ada     B-Peop  ['Live_In']     [3]         a relation is on the last token of its first argument
    1   lives   O       ['N']           [1]         and points at the last token of its second
    2   in      O       ['N']           [2]
    3   London  B-Loc   ['N']           [3]
"""

import ast
from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.corpora.blocks import Block, blocks, check_width
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.sample import Sample
from ner_zoo.data.corpora.tag_column import TagColumn
from ner_zoo.data.repairs import Repairs

NO_RELATION = "N"


@Corpus.register("conll04")
class Conll04(Corpus):
    patterns = ("*.txt",)
    view = "joint"

    @classmethod
    @overrides
    def recognises(cls, sample: Sample) -> str | None:
        is_ours = bool(sample.rows) and sample.rows[0].startswith("#doc") and sample.rows[-1].count("\t") >= 4
        return "its sentences begin with #doc and its rows have lists of relations" if is_ours else None

    @overrides
    def sentences(self, file: str, repairs: Repairs) -> Iterator[Sentence]:
        column = TagColumn(file, repairs)
        for block in blocks(file, self.encoding, repairs, lambda row: row.startswith("#doc")):
            fields = [row.split("\t") for row in block.rows]
            check_width(fields, 5, block, file)
            tokens = tuple(row[1] for row in fields)
            if "" in tokens:
                raise ConfigurationError(f"{file}:{block.line + tokens.index('')} has no token in its second column.")
            mentions = column.entities([row[2] for row in fields], block.line)
            links = [(i, row[3], row[4]) for i, row in enumerate(fields) if row[3] != "['N']"]
            relations = _relations(links, mentions, block, file, repairs)
            entities = _begun(mentions, fields, block, file, repairs)
            yield Sentence(tokens, tuple(entities), tuple(relations), source=f"{file}:{block.line}")
        column.finish()


def _begun(mentions: list[Entity], fields: list[list[str]], block: Block, file: str, repairs: Repairs) -> list[Entity]:
    """
    The mentions that start with `B-`, as in the published counts. Relations may still refer to the others.
    """
    kept = []
    for mention in mentions:
        if fields[mention.start][2].startswith("I-"):
            repairs.add("I- tags without a B- ignored", f"{file}:{block.line + mention.start}")
        else:
            kept.append(mention)
    return kept


def _relations(
    links: list[tuple[int, str, str]], mentions: list[Entity], block: Block, file: str, repairs: Repairs
) -> list[Relation]:
    """`links` are the token numbers, relations and heads of the rows that may contain a relation."""
    ending_at = {mention.end - 1: mention for mention in mentions}
    covering = {position: mention for mention in mentions for position in range(mention.start, mention.end)}
    found: dict[Relation, None] = {}
    for position, types, heads in links:
        source = f"{file}:{block.line + position}"
        for type, other in _pairs(types, heads, source):
            if type == NO_RELATION:
                continue
            if not {position, other} <= covering.keys():
                repairs.add("relation with an argument that is not an entity left out", source)
                continue
            if not {position, other} <= ending_at.keys():
                repairs.add("relation that does not point at the last token of an entity", source)
            relation = Relation(type, covering[position], covering[other])
            if relation in found:
                repairs.add("repeated relation left out", source)
            found[relation] = None
    return list(found)


def _pairs(types: str, heads: str, source: str) -> list[tuple[str, int]]:
    """Parses the two Python lists of a row into pairs."""
    try:
        names, numbers = ast.literal_eval(types.strip()), ast.literal_eval(heads.strip())
        pairs = list(zip(names, numbers))
        if len(names) != len(numbers) or not all(isinstance(n, str) and isinstance(i, int) for n, i in pairs):
            raise ValueError
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise ConfigurationError(
            f"{source} has {types[:60]!r} and {heads[:60]!r}, but a list of relations and a "
            "list of equally many token numbers are expected, such as ['Live_In'] and [8]."
        ) from error
    return pairs
