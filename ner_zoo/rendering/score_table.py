"""Formats evaluation metrics as a table: precision, recall and F1 by type and overall, then the other metrics."""

from collections.abc import Mapping

from ner_zoo.rendering.tables import text_table

F1 = "_f1"
FIGURES = ("precision", "recall", "f1")


def score_table(metrics: Mapping[str, float]) -> str:
    """One block per F1 metric: every type, then the overall figures."""
    names = [name.removesuffix(F1) for name in metrics if name.endswith(F1) and "/" not in name]
    blocks = [_block(name, metrics) for name in names]
    shown = {f"{name}_{figure}" for name in names for figure in FIGURES}
    others = [(name, value) for name, value in metrics.items() if name.partition("/")[0] not in shown]
    if others:
        blocks.append("\n".join(text_table([(name, f"{value:.4f}") for name, value in others])))
    return "\n\n".join(blocks)


def _block(name: str, metrics: Mapping[str, float]) -> str:
    prefix = f"{name}{F1}/"
    types = [key.removeprefix(prefix) for key in metrics if key.startswith(prefix)]
    rows = [(type, *_percentages(name, f"/{type}", metrics)) for type in types]
    total = ("all", *_percentages(name, "", metrics))
    return "\n".join(text_table([(name, "precision", "recall", "F1"), *rows, total]))


def _percentages(name: str, suffix: str, metrics: Mapping[str, float]) -> list[str]:
    return [f"{100 * metrics[f'{name}_{figure}{suffix}']:.2f}" for figure in FIGURES]
