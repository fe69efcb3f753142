import sys
from pathlib import Path

import pytest
from allennlp.commands import main
from huggingface_hub import ModelCard

from tests.trained_models import tagger_archive

__all__ = ["tagger_archive"]


def test_the_command_writes_a_folder_and_says_what_it_lacks(
    tagger_archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "names")
    monkeypatch.setattr(sys, "argv", ["allennlp", "hub", str(tagger_archive), "-o", folder, "--language", "en", "de"])
    main()
    said = capsys.readouterr().out
    assert "README.md has no license. Pass --licence" in said and "no language" not in said
    assert f"hf upload USER/NAME {folder}" in said
    assert ModelCard.load(tmp_path / "names" / "README.md").data.language == ["en", "de"]
