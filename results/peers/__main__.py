"""
Trains a tool on a corpus and records F1 on dev and test, processor minutes of the training, words per second and the
size of the model in results/peers/measured.json; `python -m results --only-write` updates the page.

    python -m results.peers wnut17 spacy_ner --seed 1

Models in out/peers are not trained again.
"""

import argparse
import importlib
import json
import resource
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ner_zoo.annotation import Sentence
from results.comparison import ROOT
from results.peers.corpus import CORPORA, Files, f1
from results.peers.section import MEASURED, rows

TOOLS = ("crf_tagger", "spacy_ner", "flair_tagger", "ours")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m results.peers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", choices=CORPORA)
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    row = {"corpus": arguments.corpus, "tool": arguments.tool, "seed": arguments.seed}
    if arguments.tool == "ours":
        row["config"] = CORPORA[arguments.corpus].config
    row |= measure(CORPORA[arguments.corpus], arguments.tool, arguments.corpus, arguments.seed)
    print(json.dumps(row, indent=2))
    keep(row)


def measure(files: Files, tool: str, corpus: str, seed: int) -> dict[str, Any]:
    peer = importlib.import_module(f"results.peers.{tool}")
    folder = ROOT / "out" / "peers" / corpus / f"{tool}_{seed}"
    trained = folder / "trained.json"
    if not trained.exists():
        folder.mkdir(parents=True, exist_ok=True)
        before = seconds_of_children()
        model = peer.train(files, folder, seed)
        minutes = (seconds_of_children() - before) / 60
        trained.write_text(json.dumps({"model": str(model), "minutes": round(minutes, 2)}))
    known = json.loads(trained.read_text())
    model = Path(known["model"])
    tagger = peer.Tagger(model)
    found = {f"{split}_f1": round(scored(tagger, files.sentences(split)), 2) for split in ("dev", "test")}
    speed = words_per_second(tagger, files.sentences("test"))
    return found | {"cpu_minutes": known["minutes"], "words_per_second": round(speed), "megabytes": megabytes(model)}


def scored(tagger: Any, sentences: Sequence[Sentence]) -> float:
    return f1(sentences, tagger(sentences))


def words_per_second(tagger: Any, sentences: Sequence[Sentence], rounds: int = 3) -> float:
    """In processor time; the best round counts, after a warm-up round."""
    words = sum(len(sentence.tokens) for sentence in sentences)
    best = 0.0
    for _ in range(rounds):
        start = time.process_time()
        tagger(sentences)
        # A tool in another process measures itself.
        seconds = getattr(tagger, "seconds", None) or time.process_time() - start
        best = max(best, words / seconds)
    return best


def seconds_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def megabytes(model: Path) -> float:
    """The size of a file or folder on disk."""
    files = [model] if model.is_file() else [path for path in model.rglob("*") if path.is_file()]
    return round(sum(path.stat().st_size for path in files) / 1e6, 1)


def keep(row: dict[str, Any]) -> None:
    """Replaces an older row for the same tool and corpus."""
    key = ("corpus", "tool", "seed")
    kept = [one for one in rows() if any(one[name] != row[name] for name in key)] + [row]
    kept.sort(key=lambda one: tuple(str(one[name]) for name in key))
    MEASURED.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
