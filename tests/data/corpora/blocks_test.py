import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora import blocks as blocks_module
from ner_zoo.data.corpora.blocks import Block, blocks, check_width, split_at, split_at_blanks, splitter
from ner_zoo.data.repairs import Repairs


def read(tmp_path, text, **options):
    path = tmp_path / "corpus"
    path.write_bytes(text.encode())
    repairs = Repairs()
    return [tuple(block) for block in blocks(str(path), None, repairs, **options)], repairs


@pytest.mark.parametrize("between", ["\n", "\n\n\n", "\t\n", " \n", "\r\n", "\u3000\n"])
def test_a_blank_line_separates_blocks(tmp_path, between):
    found, _ = read(tmp_path, f"a O\nb O\n{between}c O\n")
    assert [rows for _, rows in found] == [["a O", "b O"], ["c O"]]


def test_blocks_have_their_first_line_and_the_last_needs_no_empty_line(tmp_path):
    found, _ = read(tmp_path, "\n\na O\nb O\n\nc O")
    assert found == [(3, ["a O", "b O"]), (6, ["c O"])]


@pytest.mark.parametrize(
    "row",
    [
        "-DOCSTART- -X- -X- O",
        "-DOCSTART- -X- O O",
        "-DOCSTART- -DOCSTART- O",
        "-DOCSTART-\tO",
        "-DOCSTART-",
        "-docstart- O",
        "-DOCSTART- (7 LUNE)",
        "0 -DOCSTART- O",
        "<DOCSTART> O",
    ],
)
@pytest.mark.parametrize("after", ["", "\n"])
def test_docstart_is_not_a_token_in_any_spelling_attached_or_not(tmp_path, row, after):
    found, _ = read(tmp_path, f"{row}\n{after}a O\n{row}\n{after}b O\n")
    assert [rows for _, rows in found] == [["a O"], ["b O"]]


@pytest.mark.parametrize("row", ["- O", "-DOCSTARTING- O", "#DOCSTART O", "docstart O"])
def test_tokens_that_look_like_docstart_stay(tmp_path, row):
    assert read(tmp_path, f"{row}\n")[0] == [(1, [row])]


def test_structure_rows_belong_to_no_block(tmp_path):
    found, _ = read(tmp_path, "#doc 1\na\n#doc 2\nb\n", is_structure=lambda row: row.startswith("#doc"))
    assert found == [(2, ["a"]), (4, ["b"])]


def test_blocks_may_be_cut_between_two_rows(tmp_path):
    found, _ = read(tmp_path, "a\n.\n.\nb\n", cut_before=lambda before, row: before == "." != row)
    assert found == [(1, ["a", ".", "."]), (4, ["b"])]


@pytest.mark.parametrize("text", ["", "\n\n", "-DOCSTART- O\n\n"])
def test_a_file_without_a_sentence_is_counted(tmp_path, text):
    found, repairs = read(tmp_path, text)
    assert found == [] and list(repairs.counts) == ["file without a sentence"]


def test_a_sentence_without_end_is_refused_with_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks_module, "MOST_ROWS", 10)
    with pytest.raises(ConfigurationError, match="corpus:11 is row 11 of a sentence"):
        read(tmp_path, "a O\n" * 11)


@pytest.mark.parametrize(
    "row, fields",
    [
        ("a\tO", ["a", "O"]),
        (" \tO", [" ", "O"]),
        ("\x08\tO", ["\x08", "O"]),
        ("\u3000\tO", ["\u3000", "O"]),
        ("\t\tO", ["\t", "O"]),
        ("\tO", ["", "O"]),
        ("a b\tO", ["a b", "O"]),
        ("a\tO\t", ["a", "O"]),
        ("a\tO  ", ["a", "O"]),
        ('"\tO', ['"', "O"]),
    ],
)
def test_tabs_separate_fields_and_nothing_is_stripped_from_the_token(row, fields):
    assert split_at(row, "\t") == fields


@pytest.mark.parametrize(
    "row, fields",
    [
        ("a NN O", ["a", "NN", "O"]),
        ("a   NN\t O ", ["a", "NN", "O"]),
        ("5\u00a0000 Z O", ["5\u00a0000", "Z", "O"]),
        ("\u3000 O", ["\u3000", "O"]),
        (" O", ["", "O"]),
        ("  O", [" ", "O"]),
    ],
)
def test_ascii_spaces_separate_fields(row, fields):
    assert split_at_blanks(row) == fields


@pytest.mark.parametrize(
    "first, delimiter, row, fields",
    [
        ("a b\tO", None, "c d\tO", ["c d", "O"]),
        ("a b\tO", None, " \tO", [" ", "O"]),
        ("a b\tO", None, "\t\tO ", ["\t", "O"]),
        ("a b\tO", None, "c\tO\t", ["c", "O"]),
        ("a O", None, "c d O", ["c", "d", "O"]),
        ("a O", None, " O", ["", "O"]),
        ("a|O", "|", "c d|O", ["c d", "O"]),
        ("a O", " ", "c\td O", ["c", "d", "O"]),
    ],
)
def test_the_first_row_shows_the_delimiter_unless_it_is_given(first, delimiter, row, fields):
    assert splitter(first, delimiter)([first, row])[1] == fields


def test_a_short_row_is_refused_with_file_and_line():
    block = Block(7, ["a O", "b"])
    with pytest.raises(ConfigurationError, match=r"corpus:8 has 1 column\(s\), but at least 2 are expected: 'b'"):
        check_width([["a", "O"], ["b"]], 2, block, "corpus")
