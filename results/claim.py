"""
What a paper claims, beside what came out here: one row of the overview, as `claims.jsonnet` lists it.

Figures come from `docs/results/*.json`. The verdict and its reason are written by hand, and `tests/results_test.py`
checks the verdict against the figures.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import _jsonnet

from results import table

LIST = Path(__file__).parent / "claims.jsonnet"
HOLDS, PARTLY, NOT = "yes", "partly", "no"
# The level at which a difference between configs counts as shown.
LEVEL = 0.05


@dataclass(frozen=True)
class Claim:
    """
    paper, page : its name, and its page of docs/.
    claim : what the paper says, in a few words.
    comparison, baseline, system, metric : where our figures are.
    published : the paper's figures, baseline to system.
    verdict : `yes`, `partly` or `no`.
    why : in a sentence.
    """

    paper: str
    page: str
    claim: str
    comparison: str
    baseline: str
    system: str
    metric: str
    published: str
    verdict: str
    why: str

    def figures(self, measured: dict[str, dict[str, Any]]) -> list[Any]:
        own = measured.get(self.comparison)
        return [table.figure_of(name, self.metric, own) for name in (self.baseline, self.system)]

    def ours(self, measured: dict[str, dict[str, Any]]) -> str:
        """Baseline to system, the split, and p."""
        own = measured.get(self.comparison)
        baseline, system = self.figures(measured)
        if own is None or baseline is None or system is None:
            return table.NOT_MEASURED
        p = "" if system["p_value"] is None else f", p = {table.p_value(system)}".replace("= <", "< ")
        return f"{table.score(baseline)} to {table.score(system)} ({table.split_of(own)}{p})"


def claims() -> list[Claim]:
    return [Claim(**one) for one in json.loads(_jsonnet.evaluate_file(str(LIST)))]


def claim_table(listed: Sequence[Claim], titles: dict[str, str], measured: dict[str, dict[str, Any]]) -> str:
    """titles : comparison -> a link to its section."""
    rows = [
        [
            f"[{one.paper}]({one.page})",
            one.claim,
            titles.get(one.comparison, one.comparison),
            one.ours(measured),
            one.published,
            f"**{one.verdict}**",
            one.why,
        ]
        for one in listed
    ]
    return table.table(["paper", "claim", "measured on", "ours", "paper's", "holds?", "why"], rows)
