"""Paths in records."""

from pathlib import Path

from ner_zoo.experiments.scores import relative


def test_a_path_reveals_nothing_about_the_machine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NER_ZOO_DATA", "/home/ada/corpora")
    assert relative(Path("runs/one")) == "runs/one"
    assert relative(tmp_path / "runs" / "one") == "runs/one"
    assert relative(Path("/home/ada/corpora/ec/test")) == "$NER_ZOO_DATA/ec/test"
    assert relative(Path("/home/ada/secret/test")) == "test"
