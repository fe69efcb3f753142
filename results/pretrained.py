"""
Recreates the models that ship with ner_zoo, and checks their scores.

    python -m results.pretrained wnut17           trains, shrinks, and compares the scores with those in the card
    python -m results.pretrained wnut17 --accept  puts the new model, its scores and its card into the package

Weights are stored in half precision, and converted back to single precision when loaded; the scores are those of the
stored model. The seed is fixed, so with the same versions of torch and Python the scores are identical.
"""

import argparse
import gzip
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import torch
from torch import Tensor

from ner_zoo.platform.archive_opening import MODEL_CARD
from ner_zoo.platform.pretrained import ENDING, FOLDER
from ner_zoo.rendering.tables import markdown_table
from results.comparison import ROOT, data, without_place

FILES = {"wnut17": {"dev": "wnut17/emerging.dev.conll", "test": "wnut17/emerging.test.annotated"}}
LARGEST = 6_000_000

Scores = dict[str, dict[str, float]]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m results.pretrained",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", choices=sorted(FILES))
    parser.add_argument("--accept", action="store_true", help="replace the model in the package and its card")
    parser.add_argument("--run", help="use the model of this run instead of training one")
    arguments = parser.parse_args()
    run = Path(arguments.run or ROOT / "out" / "pretrained" / arguments.name)
    if not arguments.run:
        config = ROOT / "training_config" / "pretrained" / f"{arguments.name}.jsonnet"
        command("train", str(config), "-s", str(run), "--force")
    small = run / f"{arguments.name}{ENDING}"
    shrink(run / "model.tar.gz", small)
    scores = {split: evaluate(small, f"{data()}/{file}") for split, file in FILES[arguments.name].items()}
    if arguments.accept:
        accept(run, arguments.name, scores)
    else:
        compare(scores, json.loads((FOLDER / f"{arguments.name}.json").read_text())["scores"])


def command(*words: str) -> None:
    subprocess.run([str(Path(sys.executable).with_name("allennlp")), *words], check=True)


def shrink(archive: Path, target: Path, scores: Scores | None = None) -> str:
    """
    Writes an archive with weights in half precision, without anything specific to this machine or time. Returns its
    card with the scores added.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
        torch.save(halved(torch.load(folder / "weights.th", weights_only=True)), folder / "weights.th")
        config = folder / "config.json"
        # Not in $NER_ZOO_DATA: users of the model may not have any corpora.
        config.write_text(config.read_text(encoding="utf-8").replace(f"{data()}/", ""), encoding="utf-8")
        card = without_place((folder / MODEL_CARD).read_text(encoding="utf-8"))
        card = card if scores is None else with_scores(card, target.name.removesuffix(ENDING), scores)
        (folder / MODEL_CARD).write_text(card, encoding="utf-8")
        kept = [config, folder / MODEL_CARD, folder / "weights.th", *sorted((folder / "vocabulary").glob("*.txt"))]
        with gzip.GzipFile(target, "wb", compresslevel=9, mtime=0) as file, tarfile.open(None, "w", file) as opened:
            for path in kept:
                opened.add(path, path.relative_to(folder).as_posix(), filter=without_owner)
    if target.stat().st_size > LARGEST:
        sys.exit(f"{target} has {target.stat().st_size:,} bytes, more than {LARGEST:,}. Keep fewer word vectors.")
    return card


def halved(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights in half precision, without the unused rows of words that have no vector."""
    small = {key: value.half() if value.is_floating_point() else value for key, value in weights.items()}
    for key in [key for key in small if key.endswith(".has_vector")]:
        rows = small[key.replace(".has_vector", ".weight")]
        rows[~small[key]] = 0
    return small


def without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime, member.uid, member.gid, member.uname, member.gname = 0, 0, 0, "", ""
    return member


def evaluate(archive: Path, file: str) -> dict[str, float]:
    """Percentages on a file, overall and by type."""
    output = archive.with_suffix(".json")
    command("evaluate", str(archive), file, "--output-file", str(output))
    metrics = json.loads(output.read_text())
    return {name: round(100 * value, 2) for name, value in metrics.items() if name.startswith("entity_")}


def with_scores(card: str, name: str, scores: Scores) -> str:
    """The card of the run with the command, and with the scores of the model in half precision."""
    before, _, rest = card.partition("## Scores on the validation data\n")
    _, heading, after = rest.partition("## Versions\n")
    types = [key.partition("/")[2] for key in scores["dev"] if key.startswith("entity_f1/")]
    rows = [
        [split, type or "**all**", *(f"{found.get(key(kind, type), 0):.2f}" for kind in ("precision", "recall", "f1"))]
        for split, found in scores.items()
        for type in ["", *types]
    ]
    table = markdown_table(["", "type", "precision", "recall", "F1"], rows, left_columns=2)
    made = f"Made by `python -m results.pretrained {name} --accept`, which `make pretrained` repeats and checks."
    return f"{before}## Scores\n\n{made} The epoch was chosen on dev.\n\n{table}\n\n{heading}{after}"


def key(kind: str, type: str) -> str:
    return f"entity_{kind}/{type}" if type else f"entity_{kind}"


def accept(run: Path, name: str, scores: Scores) -> None:
    FOLDER.mkdir(exist_ok=True)
    archive = FOLDER / f"{name}{ENDING}"
    card = shrink(run / "model.tar.gz", archive, scores)
    (FOLDER / f"{name}.md").write_text(card, encoding="utf-8")
    (FOLDER / f"{name}.json").write_text(json.dumps({"scores": scores}, indent=2) + "\n")
    print(f"wrote {archive}, {archive.stat().st_size:,} bytes")


def compare(scores: Scores, expected: Scores) -> None:
    if scores != expected:
        sys.exit(f"The scores differ from those in the card.\nmeasured: {scores}\ncard: {expected}")
    print("The scores match the card.")


if __name__ == "__main__":
    main()
