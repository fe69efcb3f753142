import tracemalloc

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.columns import ColumnCorpus, find_tags, sentence_of
from ner_zoo.data.repairs import Repairs


def read(tmp_path, text, **options):
    path = tmp_path / "corpus"
    path.write_bytes(text.encode())
    repairs = Repairs()
    return list(ColumnCorpus(**options).sentences(str(path), repairs)), repairs, str(path)


def test_a_sentence_records_the_line_of_its_first_token(tmp_path):
    found, _, path = read(tmp_path, "\na\tO\n\nb\tB-PER\n")
    assert [sentence.source for sentence in found] == [f"{path}:2", f"{path}:4"]


def test_the_tags_are_the_last_column_unless_another_one_holds_them():
    assert find_tags(["Ada", "NNP", "I-NP", "B-PER"]) == -1
    assert find_tags(["Ada", "B-PER", "0.97"]) == 1
    assert find_tags(["Ada", "NNP"]) == -1


def test_a_third_column_after_the_tags_is_ignored(tmp_path):
    found, _, _ = read(tmp_path, "Ada\tB-PER\tx\nis\tO\ty\n")
    assert found[0].entities == (Entity.of("PER", 0, 1),)


def test_trailing_spaces_are_ignored(tmp_path):
    found, repairs, _ = read(tmp_path, "Ada\tB-PER \nis\tO\t\n")
    assert found[0].tokens == ("Ada", "is") and found[0].entities == (Entity.of("PER", 0, 1),)
    assert not repairs.counts


def test_comments_are_rows_only_if_not_said_to_be_comments(tmp_path):
    text = "# id 7\tO\nAda\tB-PER\n"
    assert len(read(tmp_path, text)[0][0].tokens) == 2
    assert read(tmp_path, text, comment="# ")[0][0].tokens == ("Ada",)


def test_empty_tokens_are_left_out_and_entities_move_along(tmp_path):
    found, repairs, _path = read(
        tmp_path, "\tO\nAda\tB-PER\n\tI-PER\nQuill\tI-PER\n\tO\nLune\tI-LOC\n\tB-LOC\nx\tUNK\n", unknown_tag="UNK"
    )
    assert found[0].tokens == ("Ada", "Quill", "Lune", "x")
    assert found[0].entities == (Entity.of("PER", 0, 2), Entity.of("LOC", 2, 3))
    assert found[0].unknown == (3,)
    assert repairs.counts["empty token left out"] == 4
    assert repairs.counts["entity without a token left out"] == 1


def test_an_outside_row_without_a_token_still_separates_two_entities(tmp_path):
    found, _, _ = read(tmp_path, "Ada\tB-PER\n\tO\nQuill\tI-PER\n")
    assert found[0].entities == (Entity.of("PER", 0, 1), Entity.of("PER", 1, 2))


def test_a_sentence_of_empty_tokens_is_dropped():
    assert list(sentence_of(["", ""], [], "corpus:1", Repairs())) == []


def test_memory_does_not_grow_with_the_file(tmp_path):
    peaks = []
    for sentences in (2_000, 20_000):
        path = tmp_path / str(sentences)
        path.write_text("Ada\tB-PER\nQuill\tI-PER\nleft\tO\n\n" * sentences)
        tracemalloc.start()
        assert sum(1 for _ in ColumnCorpus().sentences(str(path), Repairs())) == sentences
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # Allow for the sample used to detect the tag scheme, which is full only in the longer file, but not for ten times
    # the rest.
    assert peaks[1] < peaks[0] + 8_000_000
