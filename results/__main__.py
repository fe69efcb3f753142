"""
Runs the named comparisons, or all of them, and writes the results.

Without --full, a quick trial: one seed, few sentences, two epochs, written to out/results_quick; docs/ is not changed.
With --full: the measurements reported in docs/results.md, written to out/results; finished runs are not repeated.
Afterwards each compare.json is copied to docs/results, and the page is written.
With --full --more-seeds: measures further seeds of the named comparisons, and adds them to docs/results.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

from results import page
from results.comparison import ROOT, Comparison, comparisons, data, without_place
from results.join import NotJoinable, join

PLACES = {True: Path("out") / "results", False: Path("out") / "results_quick"}


def main() -> None:
    every = comparisons()
    arguments = parse(sys.argv[1:], [comparison.name for comparison in every])
    chosen = [one for one in every if not arguments.names or one.name in arguments.names]
    failed: list[str] = []
    if not arguments.only_write:
        check_data()
        failed = [one.name for one in chosen if not measure(one, arguments.full, arguments.more_seeds)]
    if arguments.full or arguments.only_write:
        for path in page.write(every):
            print(f"wrote {path.relative_to(ROOT)}")
    if failed:
        sys.exit(f"Some comparisons could not be measured: {', '.join(failed)}. See the messages above.")


def parse(words: list[str], names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m results", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(names)}")
    parser.add_argument("--full", action="store_true", help="run the measurements of docs/results.md; takes hours")
    parser.add_argument("--only-write", action="store_true", help="do not measure; write the pages from docs/results")
    parser.add_argument("--more-seeds", default="", metavar="SEEDS", help="seeds to add, e.g. 13373,13374; with --full")
    arguments = parser.parse_args(words)
    if arguments.more_seeds and not (arguments.full and arguments.names):
        parser.error("--more-seeds adds to the figures in docs/results: it needs --full, and names of comparisons.")
    if arguments.more_seeds and not re.fullmatch(r"\d+(,\d+)*", arguments.more_seeds):
        parser.error(f"--more-seeds {arguments.more_seeds!r} is not a list of seeds, such as 13373,13374.")
    unknown = [name for name in arguments.names if name not in names]
    if unknown:
        parser.error(f"There is no comparison {unknown[0]!r}. Choose from: {', '.join(names)}.")
    return arguments


def check_data() -> None:
    if not Path(data()).is_dir():
        sys.exit(f"There is no folder {data()!r}. Set NER_ZOO_DATA to the folder of your corpora.")


def measure(comparison: Comparison, is_full: bool, more_seeds: str = "") -> bool:
    """Whether all of its runs are finished."""
    folder = PLACES[is_full] / comparison.name
    print(f"\n{comparison.title}", flush=True)
    if comparison.missing_encoder:
        print(f"skipped: no encoder in {comparison.missing_encoder}; see {comparison.paths[0]} for where to get it")
        return True
    # Without a comma, a number would be a count.
    command = comparison.command(folder, is_full, f"{more_seeds}," if more_seeds else "")
    status = subprocess.run([sys.executable, "-m", *command], cwd=ROOT).returncode
    source, target = ROOT / folder / "compare.json", page.DOCS / "results" / f"{comparison.name}.json"
    if more_seeds and status == 0:
        return add(source, target, shlex.join(comparison.command(folder, is_full)))
    if is_full and not more_seeds:
        keep(source, target)
    return status == 0


def keep(source: Path, target: Path) -> None:
    """Copies the results to docs/, without paths of this machine."""
    if source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(without_place(source.read_text(encoding="utf-8")), encoding="utf-8")


def add(source: Path, target: Path, command: str) -> bool:
    """Adds the runs of further seeds to what docs/ has; whether that is possible."""
    measured = [json.loads(path.read_text(encoding="utf-8")) for path in (target, source)]
    try:
        joined = join(measured[0], measured[1], command)
    except NotJoinable as error:
        print(f"{target.name} stays as it is. {error}")
        return False
    target.write_text(without_place(json.dumps(joined, indent=1, ensure_ascii=False) + "\n"), encoding="utf-8")
    return True


if __name__ == "__main__":
    main()
