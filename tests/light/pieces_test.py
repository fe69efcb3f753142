"""Word pieces without transformers: the same pieces, and an error that names a missing package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoTokenizer

from ner_zoo.data.surrogates import without_surrogates
from ner_zoo.light.pieces import piece_splitter
from ner_zoo.platform.configuration_error import ConfigurationError
from tests.light.random_models import PIECES, random_export

ANY_WORD = st.text(st.characters(exclude_categories=()), min_size=1, max_size=12)
TOKENIZER = AutoTokenizer.from_pretrained(PIECES["model_name"])


@settings(max_examples=200, deadline=None, derandomize=True)
@given(word=ANY_WORD)
def test_any_word_has_the_pieces_that_transformers_gives_it(word: str) -> None:
    pieces = piece_splitter(random_export("tagger_encoder").tokenizer)
    assert pieces(word) == TOKENIZER.encode(without_surrogates(word), add_special_tokens=False)


def test_an_unpaired_surrogate_becomes_the_replacement_character() -> None:
    assert without_surrogates("a\ud800b 👩") == "a\ufffdb 👩"


@pytest.mark.parametrize("content", ["", "null", '{"model": 3}'])
def test_a_broken_tokenizer_is_refused(content: str) -> None:
    with pytest.raises(ConfigurationError, match="tokenizer in the export cannot be read"):
        piece_splitter(content)


def test_without_the_package_tokenizers_the_command_to_install_it_is_named(tmp_path: Path) -> None:
    random_export("tagger_encoder").write(str(tmp_path / "model.ner"))
    code = """
import sys
sys.modules["tokenizers"] = None
from ner_zoo.light import load
try:
    load(sys.argv[1])
except Exception as error:
    print(error)
"""
    command = [sys.executable, "-c", code, str(tmp_path / "model.ner")]
    finished = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))
    assert "requires the package tokenizers. Run: pip install --no-deps" in finished.stdout, finished.stderr
