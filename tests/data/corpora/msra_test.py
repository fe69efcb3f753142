from pathlib import Path

from ner_zoo.data.corpora.msra import Msra
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures"


def test_every_character_is_a_token():
    found = list(Msra().sentences(str(FIXTURES / "msra/msra_train_bio"), Repairs()))
    assert ["".join(sentence.tokens) for sentence in found] == ["何小满在云山县工作。", "青溪大学成立了。", "天·气好。"]
    assert [[(e.type, e.start, e.end) for e in sentence.entities] for sentence in found] == [
        [("PER", 0, 3), ("LOC", 4, 7)],
        [("ORG", 0, 4)],
        [],
    ]


def test_a_sentence_may_have_thousands_of_characters(tmp_path):
    (tmp_path / "long").write_text("云\tO\n" * 2427 + "\n")
    assert [len(s.tokens) for s in Msra().sentences(str(tmp_path / "long"), Repairs())] == [2427]
