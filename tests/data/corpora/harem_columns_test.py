from pathlib import Path

from ner_zoo.data.corpora.harem_columns import sentences
from ner_zoo.data.repairs import Repairs

FIXTURE = Path(__file__).parents[3] / "fixtures" / "harem" / "corpus_miniHAREM.txt"


def test_neighbours_of_one_bare_type_are_one_entity():
    repairs = Repairs()
    found = [[(e.type, e.start, e.end) for e in s.entities] for s in sentences(str(FIXTURE), repairs)]
    assert found == [
        [("PESSOA", 0, 2), ("LOCAL", 4, 6)],
        [("ORGANIZACAO", 1, 3), ("TEMPO", 5, 6)],
        [("VALOR", 0, 2), ("PESSOA", 2, 3)],
    ]
    assert not repairs.counts
