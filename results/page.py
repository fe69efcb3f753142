"""
`docs/results.md`, and the measurements that other pages of docs/ quote, written from `docs/results/*.json`.

A page quotes a comparison, or a series of comparisons of the same configs, between two comments; what is between them
is replaced by the table:

    <!-- measured wnut16 -->
    <!-- end -->
"""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from re import Match
from typing import Any

from results import claim, table
from results.comparison import ROOT, Comparison, to_paste
from results.peers import section as peers

DOCS = ROOT / "docs"
FINDINGS = ROOT / "results" / "findings"
QUOTE = re.compile(r"(<!-- measured ([\w ]+?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
# The places of runs and logs say nothing to a reader.
FULL = Path("out") / "results"

HEAD = """\
# What we measured

`make results` generates this page from the files in `docs/results/`, each of which is the `compare.json` of one
[`allennlp compare`](comparing.md). `make results FULL=1` repeats all measurements. Without `FULL=1`, it tries every
comparison in minutes, with one seed, few sentences and two epochs, and does not change the figures on this page.
`python -m results --full --more-seeds 13373,13374 NAME` adds seeds to a comparison. The corpora must be in
`$NER_ZOO_DATA`.

- **Scores** are percentages: mean ± standard deviation over seeds, at the best epoch on development data.
- **Settings** are selected on development data. Test files are used only for reporting.
- **p** is the p-value of a one-tailed Welch test that a config is better than the first one, and **d** is Cohen's d.
- **paper** is the score that the paper reports in the same row, in its own setting. **same protocol?** says whether the
  two scores can be compared; the text below the table explains why not.
- Rows that were not measured are marked as such."""


def measurements(folder: Path) -> dict[str, dict[str, Any]]:
    """What has been measured, by the name of the comparison."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def render(comparisons: Sequence[Comparison], measured: dict[str, dict[str, Any]]) -> str:
    """The whole page."""
    parts = [HEAD, "## Do the papers' claims hold?\n\n" + claimed(comparisons, measured)]
    parts.append("## Every comparison\n\n" + overview(comparisons, measured))
    parts += [section(comparison, measured.get(comparison.name)) for comparison in comparisons]
    parts.append(peers.section(peers.rows()))
    return "\n\n".join(part for part in parts if part) + "\n"


def claimed(comparisons: Sequence[Comparison], measured: dict[str, dict[str, Any]]) -> str:
    """What each paper claims and what came out here, a row each."""
    titles = {one.name: f"[{one.title}](#{anchor(one.title)})" for one in comparisons}
    listed = [one for one in claim.claims() if one.comparison in titles]
    return claim.claim_table(listed, titles, measured)


def overview(comparisons: Sequence[Comparison], measured: dict[str, dict[str, Any]]) -> str:
    """The first config of each comparison and the best of the others."""
    rows = []
    for comparison in comparisons:
        metric, own = comparison.metrics[0], measured.get(comparison.name)
        first, *others = table.names_of(comparison)
        found = {name: table.figure_of(name, metric, own) for name in others} if comparison.are_rivals else {}
        known = {name: figure for name, figure in found.items() if figure is not None}
        best = max(known, key=lambda name: known[name]["mean"], default=None)
        rows.append(
            [
                f"[{comparison.title}](#{anchor(comparison.title)})",
                metric,
                f"`{first}` {table.score(table.figure_of(first, metric, own))}",
                f"`{best}` {table.score(known[best])}" if best is not None else table.NONE,
                table.p_value(known[best]) if best is not None else table.NONE,
                comparison.same_protocol["answer"],
            ]
        )
    return table.table(["", "metric", "first config", "best of the others", "p", "same protocol as the paper?"], rows)


def section(comparison: Comparison, measured: table.Measured) -> str:
    """One comparison with everything one has to know to believe it."""
    parts = [f"## {comparison.title}"]
    parts += [table.score_table(comparison, metric, measured) for metric in comparison.metrics]
    protocol = comparison.same_protocol
    parts.append(
        f"**Same protocol?** {protocol['answer'].capitalize()}. {protocol['why']} "
        f"See [{heading(DOCS / comparison.page)}]({comparison.page})."
    )
    parts += findings(comparison)
    if measured is None:
        parts.append(f"Not measured. To do so:\n\n```\n{comparison.told(FULL / comparison.name)}\n```")
    else:
        parts += [
            table.pair_table(comparison, measured),
            table.variant_table(measured, comparison.metrics[0]),
            table.cost_table(comparison, measured),
            machine(comparison, measured),
            failures(measured),
        ]
    return "\n\n".join(part for part in parts if part)


def heading(path: Path) -> str:
    """The title of a page."""
    return path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def findings(comparison: Comparison) -> list[str]:
    """What a person has to say about it, in results/findings."""
    path = FINDINGS / f"{comparison.name}.md"
    return [path.read_text(encoding="utf-8").strip()] if path.exists() else []


def machine(comparison: Comparison, measured: dict[str, Any]) -> str:
    """Where it was measured, how long that took, and the command."""
    hardware, versions = measured["hardware"], measured["versions"]
    minutes = sum(run.get("wall_seconds") or 0.0 for run in measured["runs"]) / 60
    baseline = next((row["name"] for row in measured["configs"] if row["is_baseline"]), "")
    parts = [
        f"{hardware['processor']}, {counted(hardware['cores'], 'core')}, {hardware['memory_gb']} GB",
        f"{counted(measured['jobs'], 'run')} at a time, {counted(measured['threads'], 'thread')} each",
        f"{counted(round(minutes), 'minute')} in total",
        ", ".join(f"{name} {versions[name]}" for name in ("python", "torch") if name in versions),
        f"baseline of the tests: `{baseline}`",
    ]
    return f"{'; '.join(parts)}.{in_parts(measured)}\n\n```\n{to_paste(measured['command'])}\n```"


def in_parts(measured: dict[str, Any]) -> str:
    """Which seeds were measured when, if not all at once, and for which of them single runs were compared."""
    parts = measured.get("parts", [])
    if not parts:
        return ""
    seeds = "; then ".join(f"{listed(part['seeds'])} ({part['hardware']['processor']})" for part in parts)
    told = f" The seeds were measured at different times: {seeds}."
    paired = {pair["seed"] for pair in measured["pairs"]}
    if paired and paired < {run["seed"] for run in measured["runs"]}:
        told += f" Single runs were compared sentence by sentence only with {listed(paired)}."
    return told


def listed(seeds: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(seeds)))


def counted(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}"


def failures(measured: dict[str, Any]) -> str:
    """Runs that did not finish, said plainly."""
    unfinished = [run for run in measured["runs"] if run["state"] != "finished"]
    lines = []
    for run in unfinished:
        last = (run.get("reason") or "").strip().splitlines()[-1:]
        lines.append(f"- `{run['config']}`, seed {run['seed']}: {run['state']}" + (f": {last[0]}" if last else ""))
    return "Not finished:\n\n" + "\n".join(lines) if lines else ""


def anchor(title: str) -> str:
    """What mkdocs and code hosts make of a heading."""
    return re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())


def quoted(text: str, comparisons: Sequence[Comparison], measured: dict[str, dict[str, Any]]) -> str:
    """A page of docs with its quotations as they should be."""
    known = {comparison.name: comparison for comparison in comparisons}

    def quote(match: Match[str]) -> str:
        series = [known[name] for name in match[2].split()]
        if len(series) == 1:
            content = table.short_table(series[0], measured.get(series[0].name))
        else:
            content = table.series_table(series, measured)
        return f"{match[1]}\n{content}\n\n{match[4]}"

    return QUOTE.sub(quote, text)


def pages(comparisons: Sequence[Comparison], docs: Path = DOCS) -> dict[Path, str]:
    """Every page that quotes measurements, with what it should hold."""
    measured = measurements(docs / "results")
    written = {docs / "results.md": render(comparisons, measured)}
    for path in sorted(docs.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if path not in written and QUOTE.search(text):
            written[path] = quoted(text, comparisons, measured)
    return written


def write(comparisons: Sequence[Comparison], docs: Path = DOCS) -> list[Path]:
    """Writes the pages that are not as they should be, and says which."""
    changed = []
    for path, text in pages(comparisons, docs).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed
