from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.corpora.webanno import Webanno
from ner_zoo.data.repairs import Repairs

FIXTURE = Path(__file__).parents[3] / "fixtures" / "webanno" / "document.tsv"
NER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
HEAD = f"#FORMAT=WebAnno TSV 3.3\n#T_SP={NER}|value\n\n\n"


def read(path, corpus=None):
    repairs = Repairs()
    return list((corpus or Webanno()).sentences(str(path), repairs)), dict(repairs.counts)


def test_stacked_entities_sub_tokens_relations_and_offsets_in_utf16_units():
    found, repairs = read(FIXTURE)
    person, place = Entity.of("PER", 1, 3), Entity.of("LOC", 5, 6)
    assert found[0].tokens == ("😊", "Ada", "Quill", "moved", "to", "Lune", ".")
    assert found[0].entities == (person, Entity.of("FIRST_NAME", 1, 2), place)
    assert found[0].relations == (Relation("MOVES_TO", person, place),)
    assert found[1].tokens[1:3] == ("Lune", "-based") and found[1].entities == (Entity.of("LOC", 1, 2),)
    assert found[1].text == "The Lune-based\nclub stayed."
    assert repairs == {"annotation without a value left out": 1, "token split at an entity boundary": 1}


def test_another_layer_and_feature_may_be_selected():
    found, _ = read(FIXTURE, Webanno(layer="POS", feature="coarseValue"))
    assert [entity.type for entity in found[0].entities] == ["PROPN"] * 3


def test_escaped_characters_are_read_as_they_are(tmp_path):
    (tmp_path / "a.tsv").write_text(HEAD + "#Text=a\\\\b c\n1-1\t0-3\ta\\\\b\tX\\|Y\\[1\\]\t\n1-2\t4-5\tc\t_\t\n")
    [sentence], _ = read(tmp_path / "a.tsv")
    assert sentence.tokens == ("a\\b", "c") and sentence.entities == (Entity.of("X|Y[1]", 0, 1),)


def test_an_entity_across_two_sentences_is_counted(tmp_path):
    (tmp_path / "a.tsv").write_text(HEAD + "#Text=a\n1-1\t0-1\ta\tX[1]\t\n\n#Text=b\n2-1\t2-3\tb\tX[1]\t\n")
    found, repairs = read(tmp_path / "a.tsv")
    assert [len(s.entities) for s in found] == [1, 1] and repairs == {"entity across two sentences read as two": 1}


@pytest.mark.parametrize(
    "text, line, said",
    [
        ("Ada\tB-PER\n", 1, "WebAnno TSV 3"),
        (HEAD + "#Text=Ada\n1-1\t0-4\tAda\tPER\n", 6, "not at 0-4"),
        (HEAD + "#Text=Ada\n1-1\tx\tAda\tPER\n", 6, "is not a WebAnno TSV row"),
        (HEAD + "#Text=Ada\n1-1\t0-3\tAda\n", 6, "3 columns"),
        (HEAD + "1-1\t0-3\tAda\tPER\n", 5, "before the first"),
        ("#FORMAT=WebAnno TSV 3.3\n#T_SP=a.B|c\n#T_SP=a.D|e\n\n\n#Text=x\n1-1\t0-1\tx\t_\t_\n", 1, "a.B, a.D"),
        ("#FORMAT=WebAnno TSV 3.3\n\n\n#Text=x\n1-1\t0-1\tx\n", 1, "no span layer"),
        ("#FORMAT=WebAnno TSV 3.3\n#T_XX=a.B|c\n\n\n#Text=x\n", 1, "unknown kind"),
    ],
)
def test_errors_are_reported_with_file_and_line(tmp_path, text, line, said):
    (tmp_path / "a.tsv").write_text(text)
    with pytest.raises(ConfigurationError, match=f"a.tsv:{line}") as error:
        read(tmp_path / "a.tsv")
    assert said in str(error.value)


def test_an_unknown_feature_is_refused_with_the_available_ones():
    with pytest.raises(ConfigurationError, match="identifier, value"):
        read(FIXTURE, Webanno(feature="nothing"))
