"""AllenNLP opens archives, and puts them together, by way of our functions."""

import functools
import os
from types import ModuleType
from typing import Any

MODEL_CARD = "MODEL_CARD.md"
METRICS = "metrics.json"


def open_safely(archival: ModuleType) -> None:
    """Everybody gets these two from `archival`; `archives` loads AllenNLP, and so waits until an archive is opened."""

    @functools.wraps(archival.load_archive)
    def load_archive(
        archive_file: Any, cuda_device: int = -1, overrides: Any = "", weights_file: str | None = None
    ) -> Any:
        from ner_zoo.platform import archives

        return archives.load_archive(archive_file, cuda_device, overrides, weights_file)

    @functools.wraps(archival.extracted_archive)
    def extracted_archive(resolved_archive_file: Any, cleanup: bool = True) -> Any:
        from ner_zoo.platform import archives

        return archives.extracted_archive(resolved_archive_file, cleanup)

    archival.load_archive = load_archive  # type: ignore[attr-defined]
    archival.extracted_archive = extracted_archive  # type: ignore[attr-defined]


def keep_model_card(train: ModuleType) -> None:
    original = train.archive_model

    @functools.wraps(original)
    def archive_model(
        serialization_dir: Any,
        weights: str = "best.th",
        archive_path: Any = None,
        include_in_archive: list[str] | None = None,
    ) -> str:
        files = [*(include_in_archive or []), MODEL_CARD, METRICS]
        archive = original(serialization_dir, weights, archive_path, files)
        print(f"The model is in {archive}, the log in {os.path.join(serialization_dir, 'out.log')}.")
        return archive

    train.archive_model = archive_model  # type: ignore[attr-defined]
