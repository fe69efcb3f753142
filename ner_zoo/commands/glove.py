"""
`allennlp glove FILE… -o vectors.txt.gz`: train word vectors on the text of a corpus, on the CPU.
"""

import argparse
from pathlib import Path

from allennlp.commands.subcommand import Subcommand
from overrides import overrides

from ner_zoo.commands.explained import add_fields, explained, from_fields
from ner_zoo.pretraining.settings import Settings

DESCRIPTION = """\
Train GloVe vectors on text files with one sentence per line, or on the files of a corpus. The output can be used as
`pretrained_file` of an AllenNLP embedding. To resume an interrupted run, repeat the command."""

EXAMPLES = """\
examples:
  allennlp glove text.txt more.txt.gz -o vectors.txt.gz
  allennlp glove --reader wnut data/wnut17/wnut17train.conll -o vectors.txt.gz --dim 50 --lowercase
  allennlp glove --tokenizer characters chinese.txt -o characters.txt.gz
"""


@Subcommand.register("glove")
class Glove(Subcommand):
    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Train word vectors on the text of a corpus.", DESCRIPTION, EXAMPLES)
        add = subparser.add_argument
        add("file", nargs="+", help="text files, optionally gzipped; with --reader, anything the reader accepts")
        add("-o", "--output", required=True, type=Path, help="file for the vectors; gzipped if it ends in .gz")
        add("--reader", metavar="NAME", help="take tokens from a corpus or dataset reader")
        add("--reader-params", default="{}", metavar="JSON", help="reader options as JSON")
        add("--tokenizer", metavar="NAME", help="tokenizer for lines (default: split at spaces)")
        add("--lowercase", action="store_true", help="lower-case every word")
        add("--megabytes", type=int, default=512, help="memory for counting pairs (default: 512)")
        add_fields(subparser, Settings)
        subparser.set_defaults(func=glove_from_args)
        return subparser


def glove_from_args(args: argparse.Namespace) -> None:
    from ner_zoo.pretraining.glove import train
    from ner_zoo.pretraining.text import Text

    text = Text(tuple(args.file), args.reader, args.reader_params, args.tokenizer, args.lowercase)
    settings = from_fields(Settings, args)
    about = train(text, args.output, settings, text.identity(), args.megabytes)
    print(
        f"{about['words']:,.0f} vectors of size {settings.dim} in {args.output}, from {about['pairs']:,.0f} pairs; "
        f"mean loss {about['first_loss']:.5f} in the first epoch, {about['last_loss']:.5f} in the last"
    )
