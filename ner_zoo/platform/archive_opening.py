"""Makes AllenNLP open and write archives through ner_zoo's functions."""

import functools
import tarfile
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

MODEL_CARD = "MODEL_CARD.md"
METRICS = "metrics.json"
# gzip's default, 9, takes minutes for the weights of an encoder; this takes seconds and saves nearly as much space.
COMPRESSION = 4


def open_safely(archival: ModuleType) -> None:
    """
    Replaces both functions in `archival`. `archives` imports AllenNLP, so it is loaded only when an archive is
    opened.
    """

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


def complete_archives(archival: ModuleType) -> None:
    """Signs an archive, adds the model card and the scores, and compresses it in seconds."""
    original = archival.archive_model

    @functools.wraps(original)
    def archive_model(
        serialization_dir: Any,
        weights: str = "best.th",
        archive_path: Any = None,
        include_in_archive: list[str] | None = None,
    ) -> str:
        from ner_zoo.platform.archive_origin import CONFIG_NAME, ORIGIN_NAME, sign

        folder = Path(serialization_dir)
        if (folder / CONFIG_NAME).is_file():
            sign(folder)
        files = [*(include_in_archive or []), MODEL_CARD, METRICS, ORIGIN_NAME]
        archive = original(serialization_dir, weights, archive_path, files)
        log = folder / "out.log"
        print(f"Model: {archive}" + (f", log: {log}." if log.exists() else "."))
        return archive

    archival.archive_model = archive_model  # type: ignore[attr-defined]
    archival.tarfile = SimpleNamespace(  # type: ignore[attr-defined]
        open=functools.partial(tarfile.open, compresslevel=COMPRESSION)
    )
