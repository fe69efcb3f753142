"""An encoder by its name on the Hub: found immediately, or refused immediately."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from allennlp.common import cached_transformers
from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.hub_models import is_answered

ROOT = Path(__file__).parents[2]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty model cache, and no connection to the Hub: nothing listens at its address."""
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    for module in ("huggingface_hub.constants", "huggingface_hub.file_download"):
        monkeypatch.setattr(f"{module}.HF_HUB_CACHE", str(tmp_path), raising=False)
    is_answered.cache_clear()
    cached_transformers._clear_caches()
    yield tmp_path
    is_answered.cache_clear()
    cached_transformers._clear_caches()


@pytest.mark.parametrize("load", [cached_transformers.get_tokenizer, lambda name: cached_transformers.get(name, False)])
def test_a_name_without_a_connection_is_refused_at_once(load: object, cache: Path) -> None:
    start = time.perf_counter()
    with pytest.raises(ConfigurationError) as caught:
        load("someone/encoder")  # type: ignore[operator]
    assert time.perf_counter() - start < 10
    message = str(caught.value)
    assert "There is no folder someone/encoder" in message and "http://127.0.0.1:9 does not respond" in message
    assert "use.encoder('FOLDER')" in message and "\n" not in message


def test_a_path_that_does_not_exist_is_not_taken_for_a_name(cache: Path) -> None:
    with pytest.raises(ConfigurationError, match="There is no folder models/my/encoder, and no model of that name"):
        cached_transformers.get_tokenizer("models/my/encoder")


def test_a_folder_needs_no_connection(cache: Path) -> None:
    assert cached_transformers.get_tokenizer(str(ROOT / "fixtures" / "tiny_encoder")).tokenize("a")


def test_without_a_connection_the_local_cache_is_used(cache: Path) -> None:
    repository = cache / "models--someone--encoder"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("0" * 40)
    shutil.copytree(ROOT / "fixtures" / "tiny_encoder", repository / "snapshots" / ("0" * 40))
    assert not is_answered("someone/encoder")
    start = time.perf_counter()
    assert cached_transformers.get_tokenizer("someone/encoder").tokenize("a")
    assert time.perf_counter() - start < 10
