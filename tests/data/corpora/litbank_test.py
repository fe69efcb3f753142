from pathlib import Path

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.litbank import Litbank
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures" / "litbank"


def read(path):
    repairs = Repairs()
    corpus = Litbank()
    return [s for file in corpus.files(str(path)) for s in corpus.sentences(file, repairs)], repairs


def test_rows_end_in_a_tab_and_documents_differ_in_levels():
    found, repairs = read(FIXTURES / "tsv")
    assert [len(sentence.tokens) for sentence in found] == [6, 3, 5]
    assert found[0].entities == (Entity.of("PER", 0, 3), Entity.of("FAC", 2, 6), Entity.of("GPE", 5, 6))
    assert found[2].entities == (Entity.of("PER", 0, 5), Entity.of("PER", 0, 2), Entity.of("VEH", 3, 5))
    assert not repairs.counts


def test_a_folder_of_brat_files_is_read_too(tmp_path):
    (tmp_path / "1_kites_brat.txt").write_text("My mother 's house in Lune\nShe slept .\n")
    (tmp_path / "1_kites_brat.ann").write_text("T1\tPER 0 12\tMy mother 's\nT2\tGPE 22 26\tLune\nT3\tPER 27 30\tShe\n")
    found, repairs = read(tmp_path)
    assert [sentence.tokens for sentence in found] == [
        ("My", "mother", "'s", "house", "in", "Lune"),
        ("She", "slept", "."),
    ]
    assert found[0].entities == (Entity.of("PER", 0, 3), Entity.of("GPE", 5, 6))
    assert found[1].entities == (Entity.of("PER", 0, 1),)
    assert not repairs.counts


def test_the_two_files_of_a_brat_document_are_one_document(tmp_path):
    (tmp_path / "a.txt").write_text("She slept .\n")
    (tmp_path / "a.ann").write_text("T1\tPER 0 3\tShe\n")
    assert len(read(tmp_path / "*")[0]) == len(read(tmp_path / "a.txt")[0]) == len(read(tmp_path / "a.ann")[0]) == 1
