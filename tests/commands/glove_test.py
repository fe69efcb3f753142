import sys

import pytest
from allennlp.commands import main


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["allennlp", "glove", *map(str, arguments)])
    main()


def test_the_command_trains_vectors_on_the_words_of_a_corpus(tmp_path, monkeypatch, capsys):
    output = tmp_path / "v.txt.gz"
    arguments = ["--reader", "span_json", "fixtures/demo/train.jsonl", "-o", output, "--dim", "5", "--epochs", "2"]
    run(monkeypatch, *arguments, "--lowercase")
    assert output.exists() and "vectors of size 5" in capsys.readouterr().out
    first = output.read_bytes()
    run(monkeypatch, *arguments, "--lowercase")
    assert output.read_bytes() == first


def test_a_mistake_is_one_line_and_no_traceback(tmp_path, monkeypatch, capsys):
    with pytest.raises(SystemExit):
        run(monkeypatch, tmp_path / "missing.txt", "-o", tmp_path / "v.txt")
    assert "Error: There is no file" in capsys.readouterr().err
