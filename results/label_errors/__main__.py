"""
Plants errors, finds them, repairs them, and writes what came out into measured.json and docs/cleaning.md.

    python -m results.label_errors --full                 measures what the page reports; takes an hour of one core
    python -m results.label_errors --only-write           writes the page from the file

What is trained is not trained again. cleanlab is not among the requirements: install it into a folder of its own
(pip install --target FOLDER --no-deps cleanlab termcolor tqdm) and add that to PYTHONPATH.
"""

import argparse
import json
from pathlib import Path

from results.label_errors import page

# Corpus, per cent of errors, folds.
CASES = (("conll04", 20, 5), ("wnut17", 20, 3), ("conll04", 5, 3), ("wnut17", 5, 3))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m results.label_errors",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    chosen = parser.add_mutually_exclusive_group(required=True)
    chosen.add_argument("--full", action="store_true", help="measure, and write the page")
    chosen.add_argument("--only-write", action="store_true", help="write the page")
    parser.add_argument("--folder", type=Path, default=Path("out") / "label_errors", help="where models go")
    parser.add_argument("--seeds", type=int, default=3, help="of what repair is worth")
    arguments = parser.parse_args()
    if arguments.full:
        measure(arguments.folder, arguments.seeds)
    page.write()


def measure(folder: Path, seeds: int) -> None:
    from results.label_errors import find, repair

    folder.mkdir(parents=True, exist_ok=True)
    version = find.cleanlab_version()
    found = [find.measure(name, rate, folder, count) for name, rate, count in CASES]
    repaired = repair.measure(folder, CASES[0][2], seeds)
    content = {"cleanlab": version, "found": found, "repaired": repaired, "asked_seeds": seeds}
    page.MEASURED.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
