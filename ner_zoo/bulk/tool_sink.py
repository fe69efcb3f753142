"""
Writes predictions as pre-annotations for an annotation tool, from the lines of all parts.

The model's name and scores are included if the tool supports them. Rows that could not be annotated, and annotations
that the tool cannot represent, are left out and counted.
"""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ner_zoo.data.repairs import Repairs
from ner_zoo.platform.configuration_error import ConfigurationError

if TYPE_CHECKING:
    from ner_zoo.data.writers.scored_sentence import ScoredSentence

# User-visible names of formats, and the names of their writers.
TOOLS = {
    "label_studio": "label_studio",
    "doccano": "doccano",
    "prodigy": "prodigy",
    "brat": "standoff",
    "docbin": "docbin",
    "argilla": "argilla",
}
ANN = ".ann"


def check_tool(tool: str, output: str) -> None:
    if tool not in TOOLS:
        raise ConfigurationError(f"There is no format {tool!r}. Use one of {', '.join(TOOLS)}.")
    try:
        import allennlp  # noqa: F401
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            "--format requires AllenNLP, which is not installed. Write .jsonl, and run `allennlp convert` where it is."
        ) from error
    if tool == "brat" and not output.endswith(ANN):
        raise ConfigurationError(
            f"--output is {output}. For brat, use a name that ends in {ANN}; the text is written next to it."
        )


def write_for_tool(tool: str, output: str, lines: Iterable[bytes], model: str) -> Path:
    """The finished file, still under a temporary name; only the text of brat's pair already has its final name."""
    from ner_zoo.data.writers.writer import Writer

    left_out = Repairs()
    # Keep the extension: it tells the writer of brat's format to write a single pair.
    new = Path(output.removesuffix(ANN) + ".new" + (ANN if tool == "brat" else ""))
    Writer.by_name(TOOLS[tool])().write(_sentences(lines, model, left_out), str(new), left_out)
    if tool == "brat":
        os.replace(new.with_suffix(".txt"), Path(output).with_suffix(".txt"))
    left_out.report(output)
    return new


def _sentences(lines: Iterable[bytes], model: str, left_out: Repairs) -> Iterator["ScoredSentence"]:
    from ner_zoo.data.writers.scored_sentence import of_prediction

    for number, line in enumerate(lines, 1):
        record = json.loads(line)
        if "error" in record:
            left_out.add("row that could not be annotated left out", f"row {number}")
        elif record["tokens"]:
            yield of_prediction(record, model)
        else:
            left_out.add("row without words left out", f"row {number}")


def model_name(archive: str) -> str:
    """The name of a model: its file name, or its folder's name if the archive is called `model.tar.gz`."""
    path = Path(os.path.abspath(archive))
    name = path.name.removesuffix(".tar.gz").removesuffix(".th")
    return path.parent.name if name == "model" else name
