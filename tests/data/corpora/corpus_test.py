import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.corpus import Corpus


class Columns(Corpus):
    patterns = ("*.conll",)


@pytest.fixture
def folder(tmp_path):
    for name in ("b.conll", "a.conll", "deep/c.conll.gz", "notes.txt", "ds_fa"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


def names(folder, path):
    return [file.removeprefix(f"{folder}/") for file in Columns().files(path)]


def test_a_file_is_itself_whatever_its_name(folder):
    assert names(folder, f"{folder}/notes.txt") == ["notes.txt"]


def test_a_directory_is_searched_recursively_for_plain_and_gzipped_files(folder):
    assert names(folder, str(folder)) == ["a.conll", "b.conll", "deep/c.conll.gz"]


def test_a_directory_may_have_brackets_in_its_name(tmp_path):
    (tmp_path / "x[1]").mkdir()
    (tmp_path / "x[1]" / "a.conll").write_text("")
    assert names(tmp_path, f"{tmp_path}/x[1]") == ["x[1]/a.conll"]


def test_a_glob_is_expanded_in_order(folder):
    assert names(folder, f"{folder}/[ab].conll") == ["a.conll", "b.conll"]


def test_parts_joined_by_plus_keep_their_order(folder):
    assert names(folder, f"{folder}/b.conll + {folder}/a.conll") == ["b.conll", "a.conll"]


def test_a_later_part_may_be_in_the_folder_of_the_first(folder):
    assert names(folder, f"{folder}/b.conll + ds_fa + deep") == ["b.conll", "ds_fa", "deep/c.conll.gz"]


def test_a_file_name_may_hold_a_plus(folder):
    (folder / "a + b").write_text("")
    assert names(folder, f"{folder}/a + b") == ["a + b"]


@pytest.mark.parametrize("path", ["nowhere", "b.conll + nowhere", "*.xml"])
def test_a_missing_path_is_an_error(folder, path):
    with pytest.raises(ConfigurationError, match="There is no corpus file"):
        Columns().files(f"{folder}/{path}")


def test_an_empty_directory_is_an_error_that_names_the_patterns(tmp_path):
    with pytest.raises(ConfigurationError, match=r"contains no file that matches \*\.conll"):
        Columns().files(str(tmp_path))
