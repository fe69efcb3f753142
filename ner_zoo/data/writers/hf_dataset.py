"""
Token classification data for Hugging Face `datasets`: `tokens`, and `ner_tags` as strings.

The path determines the form: `.jsonl` or `.json` for lines, `.parquet`, or otherwise a folder for `load_from_disk`.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from allennlp.common.checks import ConfigurationError
from overrides import overrides

from ner_zoo.data.corpora.arrow_files import import_pyarrow
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tag_schemes import tags_from_entities
from ner_zoo.data.writers.output_file import output_file
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer
from ner_zoo.platform.atomic_files import replacing

ROWS_AT_ONCE = 1000


@Writer.register("hf_dataset")
class HfDatasetWriter(Writer):
    holds_overlapping = False

    @overrides
    def write(self, sentences: Iterable[ScoredSentence], path: str, left_out: Repairs) -> None:
        rows = map(_row, self.held(sentences, left_out))
        if path.removesuffix(".gz").endswith((".jsonl", ".json")):
            with output_file(path) as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        elif path.endswith(".parquet"):
            _write_parquet(rows, path)
        else:
            _save_to_disk(rows, path)


def _row(scored: ScoredSentence) -> dict[str, Any]:
    sentence = scored.sentence
    tags = tags_from_entities(sentence.entities, len(sentence.tokens), "BIO")
    return {"tokens": list(sentence.tokens), "ner_tags": tags}


def _write_parquet(rows: Iterator[dict[str, Any]], path: str) -> None:
    import_pyarrow()
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    schema = pa.schema([(name, pa.list_(pa.string())) for name in ("tokens", "ner_tags")])
    with replacing(path) as new, ParquetWriter(new, schema) as writer:
        while chunk := list(islice(rows, ROWS_AT_ONCE)):
            writer.write_table(pa.Table.from_pylist(chunk, schema=schema))


def _save_to_disk(rows: Iterator[dict[str, Any]], path: str) -> None:
    try:
        import datasets
        from datasets.arrow_writer import ArrowWriter
    except ImportError as error:
        raise ConfigurationError(
            "Writing a folder for `datasets` requires that package. Run: pip install datasets"
        ) from error
    if os.path.isdir(path) and os.listdir(path):
        raise ConfigurationError(f"{path} already exists and is not empty. Remove it, or pass another --output.")
    strings = datasets.List(datasets.Value("string"))
    features = datasets.Features({"tokens": strings, "ner_tags": strings})
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "rows.arrow")
        with ArrowWriter(features=features, path=table) as writer:
            for row in rows:
                writer.write(row)
            writer.finalize()
        datasets.Dataset.from_file(table).save_to_disk(path)
