"""
Creation of archives.
"""

from pathlib import Path

import torch
from allennlp.models.archival import archive_model


def test_an_archive_is_not_packed_at_the_slowest_level_of_gzip(tmp_path: Path) -> None:
    """In weights that were rounded to 8 bits, gzip searches for minutes at that level, which is its default."""
    (tmp_path / "vocabulary").mkdir()
    (tmp_path / "config.json").write_text("{}")
    torch.save({"weight": torch.zeros(100)}, tmp_path / "best.th")
    packed = Path(archive_model(tmp_path))
    is_slowest = (
        packed.read_bytes()[8] == 2
    )  # byte 8 of gzip's header: 2 is the slowest level, 4 the fastest, 0 another
    assert not is_slowest
