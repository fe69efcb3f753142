"""`allennlp evaluate` through its own parser, in this process."""

import json

from tests.commands.predict_test import parsed
from tests.trained_models import tagger_archive

__all__ = ["tagger_archive"]
DEV = "fixtures/demo/dev.jsonl"


def test_the_result_is_printed_by_type_and_written_as_json(tagger_archive, tmp_path, capsys) -> None:
    arguments = parsed(["evaluate", str(tagger_archive), DEV, "--output-file", str(tmp_path / "scores.json")])
    capsys.readouterr()
    arguments.func(arguments)
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    metrics = json.loads((tmp_path / "scores.json").read_text())
    assert rows[0] == ["entity", "precision", "recall", "F1"]
    shown = {row[0]: row[1:] for row in rows[1:] if len(row) == 4}
    types = {name.partition("/")[2] for name in metrics if name.startswith("entity_f1/")}
    assert types and set(shown) == {*types, "all"}
    assert shown["all"][2] == f"{100 * metrics['entity_f1']:.2f}"
