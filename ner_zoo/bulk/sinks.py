"""
Writes the output file from the lines of all parts: JSON lines, plain or gzip, columns (CoNLL), or Parquet.

The file extension determines the format. Everything is streamed. A table made from lines has a column for each field of
any line; fields with values of different types become JSON strings. A table made from a table keeps its columns
unchanged.
"""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.conll import to_conll

# Creates a new iterator over the lines each time: a table needs two passes.
Rows = Callable[[], Iterator[bytes]]
ANNOTATION = ("text", "tokens", "sentences", "entities", "relations", "taggings", "error", "line")
ROWS_AT_ONCE = 2000


def check_ending(output: str) -> None:
    endings = (".jsonl", ".jsonl.gz", ".json", ".json.gz", ".conll", ".txt", ".parquet")
    if not output.endswith(endings):
        raise ConfigurationError(
            f"--output is {output}. The file extension determines the format: use one of {', '.join(endings)}."
        )


def write(output: str, rows: Rows, table: str | None) -> Path:
    """The finished file, still under a temporary name. `table` is the Parquet file of the input, if it is one."""
    new = Path(output + ".new")
    if output.endswith(".parquet"):
        _write_parquet(new, rows, table)
    elif output.endswith((".conll", ".txt")):
        with new.open("w", encoding="utf-8") as file:
            file.writelines(_columns(rows()))
    elif output.endswith(".gz"):
        with (
            new.open("wb") as raw,
            gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as file,
        ):
            file.writelines(rows())
    else:
        with new.open("wb") as file:
            file.writelines(rows())
    return new


def _columns(lines: Iterable[bytes]) -> Iterator[str]:
    """Each text starts with the line that precedes documents in CoNLL-2003."""
    for line in lines:
        record = json.loads(line)
        yield "-DOCSTART-\tO\n\n"
        if "error" in record:
            yield "# " + " ".join(f"line {record['line']}: {record['error']}".split()) + "\n\n"
        else:
            yield to_conll(record).encode("utf-8", "replace").decode("utf-8")


def _write_parquet(new: Path, rows: Rows, table: str | None) -> None:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile, ParquetWriter

    annotation = _annotation_types()
    if table is not None:
        with ParquetFile(table) as file:
            own = [field for field in file.schema_arrow if field.name not in annotation or field.name == "text"]
            names = {field.name for field in own}
            added = [pa.field(name, type) for name, type in annotation.items() if name not in names]
            schema = pa.schema([*own, *added])
            lines = rows()
            with ParquetWriter(new, schema) as writer:
                for batch in file.iter_batches(batch_size=ROWS_AT_ONCE, columns=[field.name for field in own]):
                    records = [json.loads(line) for line in islice(lines, len(batch))]
                    columns = [pa.array([r.get(f.name) for r in records], f.type) for f in added]
                    writer.write_table(pa.Table.from_arrays([*batch.columns, *columns], schema=schema))
        return
    kinds = _kinds(rows())
    schema = pa.schema([*((name, kind) for name, kind in kinds.items()), *annotation.items()])
    with ParquetWriter(new, schema) as writer:
        lines = rows()
        while records := [_flat(json.loads(line), kinds) for line in islice(lines, ROWS_AT_ONCE)]:
            writer.write_table(pa.Table.from_pylist(records, schema=schema))


def _annotation_types() -> dict[str, Any]:
    import pyarrow as pa

    place = [("text", pa.string()), ("start", pa.int64()), ("end", pa.int64())]
    fragments = ("fragments", pa.list_(pa.list_(pa.int64())))
    score = ("score", pa.float64())
    entities = pa.list_(pa.struct([("type", pa.string()), *place, fragments, score]))
    relation = pa.struct([("type", pa.string()), ("head", pa.int64()), ("tail", pa.int64()), score])
    return {
        "text": pa.string(),
        "tokens": pa.list_(pa.struct(place)),
        "sentences": pa.list_(pa.list_(pa.int64())),
        "entities": entities,
        "relations": pa.list_(relation),
        "taggings": pa.list_(pa.struct([("entities", entities), score])),
        "error": pa.string(),
        "line": pa.int64(),
    }


def _kinds(lines: Iterable[bytes]) -> dict[str, Any]:
    """The type of each field that is not part of the annotation."""
    import pyarrow as pa

    seen: dict[str, set] = {}
    for line in lines:
        for name, value in json.loads(line).items():
            if name not in ANNOTATION:
                known = seen.setdefault(name, set())
                if value is not None:
                    known.add(type(value) if not isinstance(value, int) or abs(value) < 1 << 62 else str)
    plain = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}
    kinds: dict[str, Any] = {}
    for name, types in seen.items():
        if len(types) == 1:
            kinds[name] = plain.get(next(iter(types)), pa.string())
        else:
            kinds[name] = pa.float64() if types == {int, float} else pa.string()
    return kinds


def _flat(record: dict[str, Any], kinds: dict[str, Any]) -> dict[str, Any]:
    import pyarrow as pa

    for name, kind in kinds.items():
        value = record.get(name)
        if kind == pa.string() and value is not None and not isinstance(value, str):
            record[name] = json.dumps(value, ensure_ascii=False)
    if "error" in record:
        # A row that could not be used may have any shape; the error record is sufficient.
        unusable: list[str] = [name for name in ANNOTATION[:-2] if name in record]
        for name in unusable:
            record[name] = record[name] if name == "text" and isinstance(record[name], str) else None
    return record
