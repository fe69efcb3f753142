"""Where the real corpora are: `$NER_ZOO_DATA`, or beside the clone. Tests that need them are skipped elsewhere."""

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("NER_ZOO_DATA", "data"))
if not DATA.is_dir():
    DATA = Path(__file__).parents[2] / "shared" / "data"

needs_corpora = pytest.mark.skipif(not DATA.is_dir(), reason="the corpora are not here")
