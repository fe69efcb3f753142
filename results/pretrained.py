"""
Makes the models that come with the package again, and checks their scores.

    python -m results.pretrained wnut17           trains, shrinks, and compares the scores with those in the card
    python -m results.pretrained wnut17 --accept  takes the new model and its scores

Weights are kept in half precision, which loading turns back into single precision; the scores are those of the model as
it is kept. Seeds are fixed, so on the same versions of torch and Python the scores are the same to the last digit.
"""

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import torch

from ner_zoo.platform.pretrained import ENDING, FOLDER
from results.comparison import ROOT, data, without_place

FILES = {"wnut17": {"dev": "wnut17/emerging.dev.conll", "test": "wnut17/emerging.test.annotated"}}
LARGEST = 6_000_000


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m results.pretrained",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", choices=sorted(FILES))
    parser.add_argument("--accept", action="store_true", help="replace the model of the package and its card")
    arguments = parser.parse_args()
    run = ROOT / "out" / "pretrained" / arguments.name
    config = ROOT / "training_config" / "pretrained" / f"{arguments.name}.jsonnet"
    command("train", str(config), "-s", str(run), "--force")
    small = run / f"{arguments.name}{ENDING}"
    shrink(run, small)
    scores = {split: evaluate(small, f"{data()}/{file}") for split, file in FILES[arguments.name].items()}
    if arguments.accept:
        accept(run, small, scores)
    else:
        compare(scores, json.loads((FOLDER / f"{arguments.name}.json").read_text()))


def command(*words: str) -> None:
    subprocess.run([str(Path(sys.executable).with_name("allennlp")), *words], check=True)


def shrink(run: Path, target: Path) -> None:
    """Writes the archive of a run with weights in half precision, and without the places of this machine."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(run / "model.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        weights = torch.load(folder / "weights.th", weights_only=True)
        halves = {key: value.half() if value.is_floating_point() else value for key, value in weights.items()}
        torch.save(halves, folder / "weights.th")
        for file in (folder / "config.json", folder / "MODEL_CARD.md"):
            file.write_text(without_place(file.read_text(encoding="utf-8")), encoding="utf-8")
        with tarfile.open(target, "w:gz") as archive:
            for file in sorted(folder.iterdir()):
                archive.add(file, arcname=file.name)
    if target.stat().st_size > LARGEST:
        sys.exit(f"{target} has {target.stat().st_size:,} bytes, more than {LARGEST:,}. Keep fewer word vectors.")


def evaluate(archive: Path, file: str) -> dict[str, float]:
    """Percentages on a file, overall and F1 by type."""
    output = archive.with_suffix(".json")
    command("evaluate", str(archive), file, "--output-file", str(output))
    metrics = json.loads(output.read_text())
    return {name: round(100 * value, 2) for name, value in metrics.items() if name.startswith("entity_")}


def accept(run: Path, small: Path, scores: dict[str, dict[str, float]]) -> None:
    FOLDER.mkdir(exist_ok=True)
    name = small.name.removesuffix(ENDING)
    (FOLDER / small.name).write_bytes(small.read_bytes())
    card = {"command": f"python -m results.pretrained {name}", "seed": 13370, "scores": scores}
    (FOLDER / f"{name}.json").write_text(json.dumps(card, indent=2) + "\n")
    (FOLDER / f"{name}.md").write_text(without_place((run / "MODEL_CARD.md").read_text(encoding="utf-8")))
    print(f"wrote {FOLDER / small.name}, {small.stat().st_size:,} bytes")


def compare(scores: dict[str, dict[str, float]], card: dict) -> None:
    if scores != card["scores"]:
        sys.exit(f"The scores differ from those in the card.\nmade: {scores}\ncard: {card['scores']}")
    print("The scores are those in the card.")


if __name__ == "__main__":
    main()
