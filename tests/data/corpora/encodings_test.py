import io

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.encodings import BLOCK, detect_encoding


def detect(content: bytes):
    return detect_encoding(io.BytesIO(content), "corpus")


@pytest.mark.parametrize("text", ["", "plain\n", "naïve café\n", "何小满\n", "سليم\n"])
def test_utf8_is_certain(text):
    assert detect(text.encode()) == ("utf-8-sig", False)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_wide_encodings_are_recognised_by_their_byte_order_mark(encoding):
    assert detect("Ada\tO\n".encode(encoding)) == (encoding, False)


def test_western_text_is_latin1_or_windows():
    assert detect("señor Núñez vive en Cañada\n".encode("latin-1")) == ("latin-1", True)
    assert detect("“señor” Núñez vive – en Cañada\n".encode("cp1252")) == ("cp1252", True)


def test_one_accent_after_much_ascii_is_found():
    assert detect(b"plain\n" * (BLOCK // 6 + 10) + "señor\n".encode("latin-1")) == ("latin-1", True)


def test_a_character_that_lies_across_two_blocks_is_whole():
    assert detect(b"x" * (BLOCK - 1) + "é\n".encode()) == ("utf-8-sig", False)


@pytest.mark.parametrize("encoding, text", [("gb18030", "何小满在云山\n"), ("windows-1251", "Привет, река\n")])
def test_other_scripts_are_not_guessed(encoding, text):
    with pytest.raises(ConfigurationError, match="corpus:1 is not UTF-8.*Set `encoding`"):
        detect(text.encode(encoding))


def test_damage_in_utf8_is_not_taken_for_latin1():
    text = "el niño y la niña\n".encode() * 9
    with pytest.raises(ConfigurationError, match="corpus:10 is not UTF-8"):
        detect(text + b"\xff\n" + text)


def test_a_file_that_ends_inside_a_character_is_refused_at_its_last_line():
    with pytest.raises(ConfigurationError, match="corpus:2 .*middle of a character"):
        detect("a\né".encode()[:-1])


def test_nul_bytes_everywhere_are_refused():
    with pytest.raises(ConfigurationError, match="utf-16-le"):
        detect("Ada\tO\n".encode("utf-16-le"))
