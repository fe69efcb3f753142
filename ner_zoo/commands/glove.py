"""
`allennlp glove FILE… -o vectors.txt.gz`: word vectors from the text of a corpus, on the CPU.
"""

import argparse
import sys
from dataclasses import fields
from pathlib import Path

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.commands.explained import explained
from ner_zoo.pretraining.settings import Settings

DESCRIPTION = """\
Train GloVe vectors on the words of text files, one sentence per line, or of the files of a corpus. The output is
what `pretrained_file` of an AllenNLP embedding reads. An interrupted run resumes when the command is run again."""

EXAMPLES = """\
examples:
  allennlp glove text.txt more.txt.gz -o vectors.txt.gz
  allennlp glove --reader wnut data/wnut17/wnut17train.conll -o vectors.txt.gz --dim 50 --lowercase
  allennlp glove --tokenizer characters chinese.txt -o characters.txt.gz
"""

HELP = {
    "dim": "the size of the vectors",
    "window": "words further apart are not neighbours",
    "min_count": "rarer words have no vector",
    "max_words": "only so many words have one, the most frequent; 0: all",
    "epochs": "passes over the pairs of words",
    "learning_rate": "of AdaGrad",
    "x_max": "pairs that occur more often count no more than this",
    "alpha": "how the weight of a pair grows with its count",
    "seed": "another seed gives other vectors",
}


@Subcommand.register("glove")
class Glove(Subcommand):
    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Train word vectors on the text of a corpus.", DESCRIPTION, EXAMPLES)
        subparser.add_argument("file", nargs="+", help="text, plain or gzip; with --reader, anything it reads")
        subparser.add_argument("-o", "--output", required=True, type=Path, help="the vectors; packed if it ends in .gz")
        subparser.add_argument("--reader", metavar="NAME", help="take the tokens of a corpus or dataset reader")
        subparser.add_argument("--reader-params", default="{}", metavar="JSON", help="what the reader takes")
        subparser.add_argument("--tokenizer", metavar="NAME", help="cut lines by this and not at spaces")
        subparser.add_argument("--lowercase", action="store_true", help="lower-case every word")
        subparser.add_argument("--megabytes", type=int, default=512, help="memory for counting pairs (default: 512)")
        add_settings(subparser)
        subparser.set_defaults(func=glove_from_args)
        return subparser


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The settings of the training as options."""
    for setting in fields(Settings):
        default: float = setting.default  # type: ignore[assignment]
        flag = "--" + setting.name.replace("_", "-")
        parser.add_argument(
            flag, type=type(default), default=default, help=f"{HELP[setting.name]} (default: {default})"
        )


def glove_from_args(args: argparse.Namespace) -> None:
    from ner_zoo.pretraining.glove import train
    from ner_zoo.pretraining.text import Text

    text = Text(tuple(args.file), args.reader, args.reader_params, args.tokenizer, args.lowercase)
    try:
        settings = Settings(**{setting.name: getattr(args, setting.name) for setting in fields(Settings)})
        about = train(text, args.output, settings, text.identity(), args.megabytes)
    except ConfigurationError as error:
        sys.exit(f"allennlp glove: {error}")
    print(
        f"{about['words']:,.0f} vectors of size {settings.dim} in {args.output}, from {about['pairs']:,.0f} pairs; "
        f"mean loss {about['first_loss']:.5f} in the first epoch, {about['last_loss']:.5f} in the last"
    )
