"""
`allennlp corpus list`, `get NAME…` and `check NAME…`: list corpora, download them into `$NER_ZOO_DATA`, and compare
them with their published counts.
"""

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from allennlp.commands.subcommand import Subcommand
from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.commands.explained import explained

if TYPE_CHECKING:
    from ner_zoo.data.catalogue import CatalogueEntry
    from ner_zoo.data.corpus_check import CheckedSplit

DESCRIPTION = """\
List the corpora that ner_zoo has a reader for, download the public ones, and check your copies.

`get` writes to $NER_ZOO_DATA (or --data FOLDER) with the file names that the configs expect, checks every file against
its published SHA-256, and prints the licence. Existing files are kept, so repeating the command resumes an interrupted
download. For licensed corpora it prints where to apply and which layout is expected.

`check` reads every split of a corpus and compares the number of sentences, tokens, entities and relations with the
published counts. It fails if a split is missing or differs."""

EXAMPLES = """\
examples:
  allennlp corpus list
  allennlp corpus get wnut17 conll04
  allennlp corpus get wnut17 --data ~/corpora
  allennlp corpus check ontonotes conll2003
"""
DATA_VARIABLE = "NER_ZOO_DATA"


@Subcommand.register("corpus")
class CorpusCommand(Subcommand):
    @overrides
    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        subparser = explained(parser, self.name, "List, download and check corpora.", DESCRIPTION, EXAMPLES)
        actions = subparser.add_subparsers(metavar="list|get|check", required=True)
        listing = actions.add_parser("list", help="name, task, language, size, licence and origin of every corpus")
        listing.add_argument("--json", action="store_true", help="print one JSON object per corpus instead of a table")
        listing.set_defaults(func=list_corpora)
        getting = actions.add_parser("get", help="download corpora into $NER_ZOO_DATA")
        getting.add_argument("name", nargs="+", help="a name from the list")
        getting.add_argument("--data", metavar="FOLDER", help="where to write, instead of $NER_ZOO_DATA")
        getting.add_argument("--force", action="store_true", help="replace files that differ from the published ones")
        getting.set_defaults(func=get_corpora)
        checking = actions.add_parser("check", help="compare your copy of corpora with the published counts")
        checking.add_argument("name", nargs="+", help="a name from the list")
        checking.add_argument("--data", metavar="FOLDER", help="where the corpora are, instead of $NER_ZOO_DATA")
        checking.set_defaults(func=check_corpora)
        return subparser


def list_corpora(arguments: argparse.Namespace) -> None:
    from ner_zoo.data.catalogue import catalogue

    if arguments.json:
        for entry in catalogue().values():
            shown = {key: value for key, value in asdict(entry).items() if key != "parts"}
            print(json.dumps({**shown, "from": entry.repositories}, ensure_ascii=False))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table("name", "task", "language", "size", "licence", "from", box=SIMPLE_HEAD, pad_edge=False)
    for entry in catalogue().values():
        origin = "\n".join(name.partition(" at ")[0] for name in entry.repositories) or "on application (see `get`)"
        table.add_row(entry.name, entry.task, entry.language, entry.size, entry.licence, origin)
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def get_corpora(arguments: argparse.Namespace) -> None:
    from allennlp.common import Tqdm

    from ner_zoo.data.catalogue import find
    from ner_zoo.data.download import fetch

    entries = [find(name) for name in dict.fromkeys(arguments.name)]
    folder = data_folder(arguments)
    for entry in entries:
        if entry.parts:
            print(f"{entry.name}: {', '.join(entry.repositories)}\nlicence: {entry.licence}")
            files = list(entry.files())
            states = fetch(files, folder, arguments.force)
            quiet = not sys.stderr.isatty()
            done = list(Tqdm.tqdm(states, total=len(files), desc=entry.name, unit="file", disable=quiet))
            fetched = done.count("fetched")
            print(
                f"{fetched} files downloaded, {len(done) - fetched} already there, checksums match: "
                f"{folder / entry.name}"
            )
            if entry.where:
                print(f"Note: {entry.where} Expected at {folder / entry.layout}.")
    if not (arguments.data or os.environ.get(DATA_VARIABLE)) and any(entry.parts for entry in entries):
        print(f"{DATA_VARIABLE} is not set. To let configs find these files: export {DATA_VARIABLE}={folder.resolve()}")
    licensed = [
        f"{entry.name} cannot be downloaded freely (licence: {entry.licence}). {entry.where} "
        f"Expected layout: {folder / entry.layout}"
        for entry in entries
        if not entry.parts
    ]
    if licensed:
        raise ConfigurationError("\n".join(licensed))


def data_folder(arguments: argparse.Namespace) -> Path:
    return Path(arguments.data or os.environ.get(DATA_VARIABLE) or "data").expanduser()


def check_corpora(arguments: argparse.Namespace) -> None:
    from ner_zoo.data.catalogue import find

    folder = data_folder(arguments)
    wrong = []
    for entry in [find(name) for name in dict.fromkeys(arguments.name)]:
        splits = check_corpus(entry, folder)
        bad = sum(split.is_wrong for split in splits)
        if bad:
            expected = f" Expected layout: {folder / entry.layout}" if entry.layout else ""
            wrong.append(f"{entry.name}: {bad} of {len(splits)} splits are missing or differ.{expected}")
    if wrong:
        raise ConfigurationError("\n".join(wrong))


def check_corpus(entry: "CatalogueEntry", folder: Path) -> "list[CheckedSplit]":
    """Prints a table of the splits of one corpus."""
    from allennlp.common import Tqdm

    from ner_zoo.data.corpora.counts import Counts
    from ner_zoo.data.corpus_check import check
    from ner_zoo.rendering.tables import text_table

    quiet = not sys.stderr.isatty()
    splits = list(Tqdm.tqdm(check(entry, folder), total=len(entry.splits), desc=entry.name, disable=quiet))
    rows = [[entry.name, *Counts._fields, "repairs"]]
    for split in splits:
        counts = [] if split.read is None else [*split.read, split.repairs]
        rows.append([split.path, *(f"{count:,}" for count in counts)])
    for line, verdict in zip(text_table(rows), ["", *(split.verdict for split in splits)]):
        print(f"{line}  {verdict}".rstrip())
    return splits
