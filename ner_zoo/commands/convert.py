"""
`allennlp convert FILE --to FORMAT -o OUT`: convert annotations from any readable format to any writable one.
"""

import argparse
from collections.abc import Iterable, Iterator
from typing import cast

from allennlp.commands.subcommand import Subcommand
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.commands.explained import explained
from ner_zoo.commands.reader_arguments import add_reader_arguments, make_corpus, parsed
from ner_zoo.data.corpora.statistics import Statistics
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import sources
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer
from ner_zoo.platform.output_path import refuse_input_as_output

DESCRIPTION = """\
Convert annotations from one format to another, as a stream. Annotations that the target format cannot represent, such
as nested entities in a column file, are left out and counted."""

EXAMPLES = """\
examples:
  allennlp convert export.jsonl --to conll -o train.conll
  allennlp convert train.spacy --to label_studio -o tasks.json
  allennlp convert brat/ --to hf_dataset -o train.parquet
  allennlp convert brat/ --to doccano --writer-params '{"relations": false}' -o train.jsonl
"""


@Subcommand.register("convert")
class Convert(Subcommand):
    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Convert annotations to another format.", DESCRIPTION, EXAMPLES)
        add = subparser.add_argument
        add("file", nargs="+", help="a file, directory or glob, or several joined by ' + '")
        formats = sorted(Writer.list_available())
        add("--to", required=True, choices=formats, metavar="FORMAT", help=", ".join(formats))
        add("-o", "--output", required=True, help="the file to write, or a folder for standoff and hf_dataset")
        add_reader_arguments(subparser)
        add("--writer-params", default="{}", metavar="JSON", help="options of the target format as JSON")
        subparser.set_defaults(func=convert_from_args)
        return subparser


def convert_from_args(args: argparse.Namespace) -> None:
    corpus = make_corpus(args.reader, args.reader_params)
    writer = cast(type[Writer], Writer.by_name(args.to)).from_params(parsed("--writer-params", args.writer_params))
    found = [source for path in args.file for source in sources(corpus, path)]
    refuse_input_as_output(args.output, [source.file for source in found])
    repairs, left_out, statistics = Repairs(), Repairs(), Statistics()
    sentences = (sentence for source in found for sentence in source.sentences(repairs))
    writer.write(_scored(sentences, statistics), args.output, left_out)
    repairs.report(", ".join(args.file))
    print(summary(args.to, args.output, statistics, left_out))


def _scored(sentences: Iterable[Sentence], statistics: Statistics) -> Iterator[ScoredSentence]:
    for sentence in sentences:
        statistics.add(sentence)
        yield ScoredSentence(sentence)


def summary(target: str, output: str, statistics: Statistics, left_out: Repairs) -> str:
    """How much was read, and what the target format could not represent."""
    counts = f"{statistics.sentences:,} sentences, {statistics.entities:,} entities, {statistics.relations:,} relations"
    lines = [f"{counts} written to {output} as {target}." if not left_out.counts else f"{counts} read."]
    if left_out.counts:
        lines.append(f"Written to {output} as {target}, which cannot represent:")
        for kind, count in left_out.counts.most_common():
            lines.append(f"  {count:,} × {kind} (first at {left_out.where[kind][0]})")
    return "\n".join(lines)
