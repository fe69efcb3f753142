"""The models of all folds belong together."""

from pathlib import Path

from ner_zoo.workbench.cross_training import fold_runs


def test_all_folds_share_one_folder_for_vectors_of_a_frozen_encoder(tmp_path: Path) -> None:
    runs = fold_runs({"train_data_path": "train.jsonl"}, tmp_path, tmp_path / "folds.json", count=3, repeats=2)
    assert len(runs) == 6
    assert {run.comparison.resolve() for run in runs if run.comparison} == {tmp_path}
