"""The folder of the real corpora: `$NER_ZOO_DATA`, or next to the clone. Without it, tests that need it are skipped."""

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("NER_ZOO_DATA", "data"))
if not DATA.is_dir():
    DATA = Path(__file__).parents[2] / "shared" / "data"

needs_corpora = pytest.mark.skipif(not DATA.is_dir(), reason="the corpora are not here")
