"""
Plants errors, finds them, repairs them, and writes the results to measured.json and docs/cleaning.md.

    python -m results.label_errors --full                 measures what the page reports; takes an hour of one core
    python -m results.label_errors --full conll04_20      a part of it; the rest stays as it is
    python -m results.label_errors --full repair --rows encoder "no errors"
                                                          the rows of the repair that contain one of these words
    python -m results.label_errors --only-write           writes the page from the file

What is trained is not trained again. One row of the repair needs an encoder: see conll04_encoder.jsonnet. cleanlab is
not among the requirements: install it into a folder of its own
(pip install --target FOLDER --no-deps cleanlab termcolor tqdm) and add that to PYTHONPATH.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from results.label_errors import page

# Corpus, per cent of errors, folds.
CASES = (("conll04", 20, 5), ("wnut17", 20, 3), ("conll04", 5, 3), ("wnut17", 5, 3))
REPAIR = "repair"
PARTS = [*(f"{name}_{rate}" for name, rate, _ in CASES), REPAIR]


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
    parser.add_argument("--rows", nargs="+", default=[""], help="of the repair, only rows that contain one of these")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure (default: all): {', '.join(PARTS)}")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - set(PARTS)
    if unknown:
        parser.error(f"There is no part {', '.join(sorted(unknown))}. Use {', '.join(PARTS)}.")
    if arguments.full:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        for part in arguments.parts or PARTS:
            measure(part, arguments.folder, arguments.seeds, arguments.rows)
    page.write()


def measure(part: str, folder: Path, seeds: int, rows: list[str]) -> None:
    """Measures a part and replaces its results in the file."""
    from results.label_errors import find, repair

    content = json.loads(page.MEASURED.read_text(encoding="utf-8"))
    if part == REPAIR:
        names = [name for name in repair.CONDITIONS if any(word in name for word in rows)]
        done = {one["name"]: one for one in [*content["repaired"], *repair.measure(folder, CASES[0][2], seeds, names)]}
        new: dict[str, Any] = {"repaired": [done[name] for name in repair.CONDITIONS if name in done]}
    else:
        name, rate, count = CASES[PARTS.index(part)]
        new = {"cleanlab": find.cleanlab_version(), "found": [find.measure(name, rate, folder, count)]}
    each = {(one["corpus"], one["rate"]): one for one in [*content["found"], *new.get("found", ())]}
    content |= new | {"found": [each[case[:2]] for case in CASES if case[:2] in each]}
    page.MEASURED.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
