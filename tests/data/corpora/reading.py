"""What a corpus reads from a file, and the error for a file that it refuses."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs

Read = tuple[list[Sentence], dict[str, int]]


def reading(default: type[Corpus]) -> tuple[Callable[..., Read], Callable[..., str]]:
    """The functions `read` and `refused` for one kind of corpus."""

    def read(path: Path, corpus: Corpus | None = None) -> Read:
        repairs = Repairs()
        return list((corpus or default()).sentences(str(path), repairs)), dict(repairs.counts)

    def refused(tmp_path: Path, *records: Any, corpus: Corpus | None = None) -> str:
        """The error for a file with these records, the last of which is invalid."""
        file = tmp_path / "file.json"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        with pytest.raises(ConfigurationError) as error:
            read(file, corpus)
        assert f"{file}:{len(records)}" in str(error.value)
        return str(error.value)

    return read, refused
