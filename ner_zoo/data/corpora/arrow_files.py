"""
Reads rows of Parquet and Arrow files in batches, with the label names that `datasets` stores in them.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from allennlp.common.checks import ConfigurationError

ENDINGS = (".parquet", ".arrow")
ROWS_AT_ONCE = 1000


def rows_of_table(file: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows, restricted to the given columns that exist in the file."""
    for batch in _batches(file):
        found = [name for name in batch.schema.names if name in columns]
        if not found:
            raise ConfigurationError(
                f"{file}:1 has none of the columns {', '.join(columns)}; it has {batch.schema.names[:12]}."
            )
        yield from batch.select(found).to_pylist()


def label_names_of(file: str, columns: Sequence[str]) -> list[str] | None:
    """The label names of a `ClassLabel` column, if `datasets` stored them in the file."""
    with _opened(file) as table:
        metadata = (table.schema_arrow if file.endswith(".parquet") else table.schema).metadata or {}
    try:
        features = json.loads(metadata[b"huggingface"])["info"]["features"]
    except (KeyError, TypeError, ValueError):
        return None
    for name in columns:
        names = _names(features.get(name)) if isinstance(features, dict) else None
        if names:
            return names
    return None


def _names(feature: Any) -> list[str] | None:
    """The names of a `ClassLabel`, or of a list of them, in any spelling that `datasets` uses."""
    if isinstance(feature, list):
        return _names(feature[0]) if feature else None
    if not isinstance(feature, dict):
        return None
    return feature["names"] if isinstance(feature.get("names"), list) else _names(feature.get("feature"))


def _batches(file: str) -> Iterator[Any]:
    with _opened(file) as table:
        if file.endswith(".parquet"):
            yield from table.iter_batches(batch_size=ROWS_AT_ONCE)
        elif hasattr(table, "num_record_batches"):
            yield from map(table.get_batch, range(table.num_record_batches))
        else:
            yield from table


@contextmanager
def _opened(file: str) -> Iterator[Any]:
    """Opens a Parquet file, an Arrow stream (written by `datasets`) or an Arrow file (written by other tools)."""
    import_pyarrow()
    import pyarrow as pa
    from pyarrow import parquet

    try:
        if file.endswith(".parquet"):
            with parquet.ParquetFile(file) as table:
                yield table
        else:
            with pa.OSFile(file) as source:
                is_file = source.read(6) == b"ARROW1"
                source.seek(0)
                yield pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)
    except (pa.ArrowException, OSError) as error:
        raise ConfigurationError(f"{file}:1 cannot be read ({error}). Check that the file is complete.") from error


def import_pyarrow() -> None:
    """Imports pyarrow, or raises an error with the install command."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ConfigurationError("Parquet and Arrow files need pyarrow: pip install pyarrow") from error
