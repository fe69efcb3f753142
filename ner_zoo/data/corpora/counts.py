"""
Published counts of corpora, to check a local copy against.

Looked up by reader and file name; for OntoNotes, which has many files, by the folder of the split.
"""

import os
from typing import NamedTuple


class Counts(NamedTuple):
    """`None` where no count is published."""

    sentences: int | None = None
    tokens: int | None = None
    entities: int | None = None
    relations: int | None = None


PUBLISHED: dict[tuple[str, str], Counts] = {
    ("wnut", "wnut17train.conll"): Counts(3394, 62730, 1975),
    ("wnut", "emerging.dev.conll"): Counts(1009, 15733, 836),
    ("wnut", "emerging.test.annotated"): Counts(1287, 23394, 1079),
    ("wnut", "train"): Counts(2394, 46469, 1496),
    ("wnut", "dev"): Counts(1000, 16261, 661),
    ("wnut", "test"): Counts(3850, 61908, 3473),
    ("ec", "train"): Counts(1097, 8635, 1264),
    ("ec", "dev"): Counts(400, 3104, 475),
    ("ec", "ds_fa"): Counts(2560, 21976, 3061),
    ("ec", "ds_pa"): Counts(2560, 21976, 3061),
    ("ec", "test"): Counts(798, 6107, 918),
    ("news", "train"): Counts(3000, 139828, 1746),
    ("news", "dev"): Counts(3328, 149005, 1157),
    ("news", "ds_fa"): Counts(3722, 186694, 4475),
    ("news", "ds_pa"): Counts(3722, 186694, 4475),
    ("news", "test"): Counts(3186, 132122, 1004),
    ("conll", "esp.train"): Counts(8323, 264715, 18798),
    ("conll", "esp.testa"): Counts(1915, 52923, 4352),
    ("conll", "esp.testb"): Counts(1517, 51533, 3559),
    ("conll", "ned.train"): Counts(15806, 202644, 13344),
    ("conll", "ned.testa"): Counts(2895, 37687, 2616),
    ("conll", "ned.testb"): Counts(5195, 68875, 3941),
    ("conll", "eng.train"): Counts(14041, 203621, 23499),
    ("conll", "eng.testa"): Counts(3250, 51362, 5942),
    ("conll", "eng.testb"): Counts(3453, 46435, 5648),
    ("conll04", "train.txt"): Counts(910, 26804, 3391, 1273),
    ("conll04", "dev.txt"): Counts(243, 6975, 877, 353),
    ("conll04", "test.txt"): Counts(288, 8408, 1079, 422),
    ("germeval14", "germ.train.iob2"): Counts(24000, 452853, 31545),
    ("germeval14", "NER-de-train.tsv"): Counts(24000, 452853, 31545),
    ("germeval14", "germ.dev.iob2"): Counts(2200, 41653, 2886),
    ("germeval14", "NER-de-dev.tsv"): Counts(2200, 41653, 2886),
    ("germeval14", "germ.test.iob2"): Counts(5100, 96499, 6693),
    ("germeval14", "NER-de-test.tsv"): Counts(5100, 96499, 6693),
    ("genia", "genia.dev.iob2"): Counts(1669, 48932, 4337),
    ("cadec", "train.json"): Counts(5444, None, 4428),
    ("cadec", "dev.json"): Counts(1110, None, 897),
    ("cadec", "test.json"): Counts(1202, None, 990),
    ("genia", "genia.test.iob2"): Counts(1854, 57021, 5474),
    ("ontonotes", "train"): Counts(59924, 1088503, 81828),
    ("ontonotes", "development"): Counts(8528, 147724, 11066),
    ("ontonotes", "test"): Counts(8262, 152728, 11257),
}

# Subfolders of a split in the layout of CoNLL-2012 that still contain the whole split.
BELOW_A_SPLIT = ("/data/english/annotations", "/data/english", "/data")


def published_counts(reader: str, path: str) -> Counts | None:
    """The published counts for the file or folder at `path`, if reader and name are known."""
    path = os.path.normpath(path).replace(os.sep, "/").removesuffix(".gz")
    if reader == "ontonotes":
        for ending in BELOW_A_SPLIT:
            path = path.removesuffix(ending)
    return PUBLISHED.get((reader, path.rsplit("/", 1)[-1]))
