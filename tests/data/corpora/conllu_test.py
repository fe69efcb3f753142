from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.conllu import Conllu
from ner_zoo.data.repairs import Repairs

FIXTURE = Path(__file__).parents[3] / "fixtures" / "conllu" / "train.conllu"
ROW = "1\tAda\t_\t_\t_\t_\t_\t_\t_\t{}\n"


def read(path, corpus=None):
    return list((corpus or Conllu()).sentences(str(path), Repairs()))


def test_tags_are_in_misc_and_the_text_follows_from_space_after():
    found = read(FIXTURE)
    assert found[0].entities == (Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5))
    assert found[0].text == "Ada Quill moved to Lune." and found[0].offsets[5] == (23, 24)


def test_multi_word_tokens_and_empty_nodes_are_not_tokens():
    assert read(FIXTURE)[1].tokens == ("Vamos", "nos", ".") and read(FIXTURE)[1].text is None


def test_another_key_may_be_given(tmp_path):
    (tmp_path / "a").write_text(ROW.format("Label=B-PER"))
    assert read(tmp_path / "a", Conllu(key="Label"))[0].entities == (Entity.of("PER", 0, 1),)
    with pytest.raises(ConfigurationError, match="it has Label. Set `key`"):
        read(tmp_path / "a")


@pytest.mark.parametrize("row", ["1\tAda\tB-PER\n", "x\tAda" + "\t_" * 8 + "\n", "1\t" + "\t_" * 8 + "\n"])
def test_a_row_of_another_form_is_refused_with_file_and_line(tmp_path, row):
    (tmp_path / "a").write_text(ROW.format("_") + row)
    with pytest.raises(ConfigurationError, match="a:2"):
        read(tmp_path / "a")
