"""
`allennlp inspect FILE…`: print what a reader reads from a file.

Use it to check a copy of a corpus before training on it: counts next to the published ones, and what had to be
repaired, and where.
"""

import argparse
import io
import json
import sys
from typing import Any

from allennlp.commands.subcommand import Subcommand
from allennlp.common import Tqdm
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.commands.explained import explained
from ner_zoo.commands.reader_arguments import add_reader_arguments, make_corpus
from ner_zoo.data.brackets import bracketed
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.counts import Counts, published_counts
from ner_zoo.data.corpora.statistics import Statistics
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import Source, sources
from ner_zoo.rendering.histogram import histogram, ranges
from ner_zoo.rendering.tables import text_table

# How many sentences to print.
SHOWN = 3

DESCRIPTION = """\
Print what a reader reads from files: the first sentences with their entities in brackets; the number of sentences,
tokens, entities and relations, by type; widths, lengths, nesting and tags; and what had to be repaired, with the first
locations. For a known corpus and split, the published counts are printed too."""

EXAMPLES = """\
examples:
  allennlp inspect export.jsonl
  allennlp inspect --reader wnut data/wnut17/emerging.dev.conll
  allennlp inspect --reader ec "data/ec/train + ds_fa"
  allennlp inspect --reader conll --reader-params '{"encoding": "latin-1"}' data/conll2002/esp.train
  allennlp inspect --reader ontonotes --json data/ontonotes/train
"""


@Subcommand.register("inspect")
class Inspect(Subcommand):
    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Print statistics and samples of a corpus.", DESCRIPTION, EXAMPLES)
        subparser.add_argument("file", nargs="+", help="a file, directory or glob, or several joined by ' + '")
        add_reader_arguments(subparser)
        subparser.add_argument("--json", action="store_true", help="print one JSON object, summed over the files")
        subparser.set_defaults(func=inspect_from_args)
        return subparser


def inspect_from_args(args: argparse.Namespace) -> None:
    corpus = make_corpus(args.reader, args.reader_params)
    statistics, repairs, first = gather(corpus, args.file)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # do not fail on a terminal that cannot print every character
    if args.json:
        print(json.dumps(to_dict(statistics, repairs), ensure_ascii=False))
    else:
        published = published_for(args.reader, corpus, args.file)
        title = f"{args.reader}: {', '.join(args.file)}"
        print(report(title, statistics, repairs, published, first))


def gather(corpus: Corpus, paths: list[str]) -> tuple[Statistics, Repairs, list[Sentence]]:
    """Reads all files in one pass, with a progress bar on a terminal, and keeps the first sentences."""
    statistics, repairs = Statistics(), Repairs()
    first: list[Sentence] = []
    found_sources = [source for path in paths for source in sources(corpus, path)]
    quiet = not sys.stderr.isatty()
    for number, source in enumerate(found_sources, 1):
        found = source.sentences(repairs)
        label = f"{number}/{len(found_sources)} {source.file}"
        for sentence in Tqdm.tqdm(found, desc=label, unit=" sentences", leave=False, disable=quiet):
            statistics.add(sentence)
            if len(first) < SHOWN:
                first.append(sentence)
    return statistics, repairs, first


def to_dict(statistics: Statistics, repairs: Repairs) -> dict[str, Any]:
    """The output of `--json`."""
    return {**statistics.to_dict(), "repairs": dict(repairs.counts), "first_places": dict(repairs.where)}


def published_for(reader: str, corpus: Corpus, paths: list[str]) -> Counts | None:
    """The published counts of all paths together, or `None` if any path, or any file it expands to, is unknown."""
    found: list[Counts | None] = []
    for path in paths:
        whole = published_counts(reader, path)
        found += [whole] if whole else [_published(reader, source) for source in sources(corpus, path)]
    known = [counts for counts in found if counts is not None]
    if len(known) < len(found):
        return None
    sums = [None if None in column else sum(column) for column in zip(*known)]
    return Counts(*sums)


def _published(reader: str, source: Source) -> Counts | None:
    return published_counts(reader, source.file) if source.part is None else None


def report(
    title: str, statistics: Statistics, repairs: Repairs, published: Counts | None, first: list[Sentence]
) -> str:
    """The output for a terminal."""
    shown = "\n".join(["First sentences", *(f"  {line}" for s in first for line in bracketed(s).split("\n"))])
    parts = [title, shown, _totals(statistics, published), _structure(statistics)]
    parts += [
        histogram("Entity types", statistics.entity_types.most_common()),
        histogram("Relation types", statistics.relation_types.most_common()),
        histogram("Tags (BIO, outermost entities)", statistics.tags.most_common()),
        histogram("Entity widths in tokens", ranges(statistics.widths)),
        histogram("Sentence lengths in tokens", ranges(statistics.lengths)),
        _repairs(repairs),
    ]
    return "\n\n".join(part for part in parts if part)


def _totals(statistics: Statistics, published: Counts | None) -> str:
    rows = [["", "read", "published", ""] if published else ["", "read"]]
    for field in Counts._fields:
        count, known = getattr(statistics, field), getattr(published, field, None)
        row = [field, f"{count:,}"]
        if known is not None:
            row += [f"{known:,}", "as published" if known == count else f"{count - known:+,}"]
        rows.append(row)
    return _indented(rows)


def _structure(statistics: Statistics) -> str:
    facts = [
        ("nested entities", statistics.nested),
        ("  of which on the same tokens with another type", statistics.two_types),
        ("pairs of crossing entities", statistics.crossing),
        ("discontinuous entities", statistics.discontinuous),
        ("tokens without annotation", statistics.unknown_tokens),
    ]
    return _indented([[name, f"{count:,}"] for name, count in facts])


def _indented(rows: list[list[str]]) -> str:
    return "\n".join(f"  {line}" for line in text_table(rows))


def _repairs(repairs: Repairs) -> str:
    if not repairs.counts:
        return "Repairs: none"
    rows = ["Repairs"]
    for kind, count in repairs.counts.most_common():
        rows.append(f"  {count:,} × {kind}")
        rows += [f"      {place}" for place in repairs.where[kind]]
    return "\n".join(rows)
