"""
`allennlp hub model.tar.gz -o FOLDER`: write a model as a folder that can be uploaded to the Hugging Face Hub.
"""

import argparse

from allennlp.commands.subcommand import Subcommand
from overrides import overrides

from ner_zoo.commands.explained import explained
from ner_zoo.platform.pretrained import model_path

DESCRIPTION = """\
Write a model as a folder for the Hugging Face Hub: its files, and its model card as README.md with the Hub's metadata.
Nothing is uploaded."""

EXAMPLES = """\
examples:
  allennlp hub runs/names/model.tar.gz -o names --language de --licence CC-BY-4.0
  hf upload USER/names names
"""

OPTIONS = {"license": "--licence", "language": "--language", "datasets": "--dataset"}


@Subcommand.register("hub")
class Hub(Subcommand):
    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "Write a model as a folder for the Hub.", DESCRIPTION, EXAMPLES)
        add = subparser.add_argument
        add("archive", type=model_path, help="the model.tar.gz of a run, or the run's folder")
        add("-o", "--output", required=True, metavar="FOLDER", help="folder to write; must be new or empty")
        add("--name", default="", help="model name (default: the folder's name)")
        add("--dataset", default="", help="dataset identifier on the Hub (default: the reader's corpus)")
        add("--language", nargs="+", default=(), metavar="CODE", help="languages of the data as ISO 639 codes")
        add("--licence", default="", help="licence of the model (default: from the config's model_card)")
        subparser.set_defaults(func=hub_from_args)
        return subparser


def hub_from_args(args: argparse.Namespace) -> None:
    from ner_zoo.training.hub_folder import CardDetails, write_hub_folder

    details = CardDetails(args.name, args.dataset, tuple(args.language), args.licence)
    missing = write_hub_folder(args.archive, args.output, details)
    for name in missing:
        hint = f"Pass {OPTIONS[name]}" if name in OPTIONS else "The archive has no scores; train again"
        print(f"README.md has no {name}. {hint}, or fill it in by hand.")
    print(f"Wrote {args.output}. To upload it: hf upload USER/NAME {args.output}")
