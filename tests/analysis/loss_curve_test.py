"""The learning curve from the files next to an archive."""

import json

import numpy as np

from ner_zoo.analysis.loss_curve import loss_curve


def test_epochs_are_read_in_order_and_what_is_missing_is_nan(tmp_path):
    for epoch in (0, 2, 10):
        metrics = {"training_loss": 1.0 / (epoch + 1), "validation_relation_f1": epoch / 10, "best_epoch": 10}
        (tmp_path / f"metrics_epoch_{epoch}.json").write_text(json.dumps(metrics))
    (tmp_path / "metrics_epoch_best.json").write_text("{}")
    curve = loss_curve(tmp_path / "model.tar.gz", "+relation_f1")
    assert curve.epochs.tolist() == [0, 2, 10] and curve.best_epoch == 10 and curve.metric == "relation_f1"
    assert curve.validation_metric.tolist() == [0.0, 0.2, 1.0] and np.isnan(curve.validation_loss).all()
    assert loss_curve(tmp_path).epochs.tolist() == [0, 2, 10]


def test_an_archive_alone_has_no_curve(tmp_path):
    assert loss_curve(tmp_path / "model.tar.gz") is None
