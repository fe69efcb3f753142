from pathlib import Path

from ner_zoo.data.corpora.anercorp import Anercorp
from ner_zoo.data.repairs import Repairs

FIXTURE = Path(__file__).parents[3] / "fixtures" / "anercorp" / "ANERCorp"


def read(file):
    repairs = Repairs()
    return list(Anercorp().sentences(str(file), repairs)), repairs


def test_sentences_end_after_a_run_of_full_stops():
    found, _ = read(FIXTURE)
    assert [len(sentence.tokens) for sentence in found] == [6, 8, 6]
    assert [sentence.tokens[-1] for sentence in found] == [".", ".", "انتهى"]


def test_empty_tokens_double_spaces_and_stray_tags_are_repaired_and_counted():
    found, repairs = read(FIXTURE)
    assert [[(e.type, e.start, e.end) for e in sentence.entities] for sentence in found] == [
        [("PERS", 0, 2), ("LOC", 3, 5)],
        [("PERS", 1, 2)],
        [("ORG", 0, 2), ("PERS", 2, 3)],
    ]
    assert repairs.counts == {
        "empty token left out": 2,
        "row with more than one space": 2,
        "tag that does not follow the BIO scheme": 1,
    }


def test_a_token_with_a_space_inside_is_one_token(tmp_path):
    (tmp_path / "corpus").write_text("a O\nb c B-LOC\nd\tO\n")
    assert read(tmp_path / "corpus")[0][0].tokens == ("a", "b c", "d")


def test_a_full_stop_inside_an_entity_ends_no_sentence(tmp_path):
    (tmp_path / "corpus").write_text("a B-PERS\n. I-PERS\nb I-PERS\n. O\n")
    found, _ = read(tmp_path / "corpus")
    assert [len(sentence.tokens) for sentence in found] == [4]


def test_empty_lines_end_sentences_too(tmp_path):
    (tmp_path / "corpus").write_text("a O\n. O\n\nb O\n\nc O\n")
    assert [sentence.tokens for sentence in read(tmp_path / "corpus")[0]] == [("a", "."), ("b",), ("c",)]
