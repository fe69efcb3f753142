import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora import tag_column
from ner_zoo.data.corpora.tag_column import TagColumn
from ner_zoo.data.repairs import Repairs


def read(*sentences, **options):
    """The entities of sentences that are ten lines apart, and the repairs."""
    repairs = Repairs()
    column = TagColumn("corpus", repairs, **options)
    found = [column.entities(tags.split(), 10 * number + 1) for number, tags in enumerate(sentences)]
    column.finish()
    return found, repairs


@pytest.mark.parametrize(
    "tags",
    ["B-PER I-PER O B-geo-loc", "I-PER I-PER O I-geo-loc", "B-PER E-PER O S-geo-loc", "B-PER L-PER O U-geo-loc"],
)
def test_every_scheme_gives_the_same_entities_and_no_repair(tags):
    found, repairs = read(tags)
    assert found == [[Entity.of("PER", 0, 2), Entity.of("geo-loc", 3, 4)]]
    assert not repairs.counts


def test_a_stray_inside_tag_is_an_entity_and_a_repair_with_its_line():
    found, repairs = read("B-PER O", "O I-PER I-PER", "B-LOC I-LOC")
    assert found[1] == [Entity.of("PER", 1, 3)]
    assert repairs.counts == {"tag that does not follow the BIO scheme": 1}
    assert repairs.where == {"tag that does not follow the BIO scheme": ["corpus:12"]}


def test_inside_tags_that_begin_entities_are_not_a_repair_in_iob1():
    found, repairs = read("I-PER B-PER O", "I-LOC O I-LOC", "I-ORG I-ORG")
    assert found[0] == [Entity.of("PER", 0, 1), Entity.of("PER", 1, 2)]
    assert not repairs.counts


def test_the_scheme_may_be_given():
    assert read("O I-PER", scheme="BIO")[1].counts == {"tag that does not follow the BIO scheme": 1}
    assert not read("O I-PER", scheme="IOB1")[1].counts
    with pytest.raises(ConfigurationError, match="BIOX"):
        TagColumn("corpus", Repairs(), "BIOX")


def test_a_long_file_is_checked_beyond_the_sample(monkeypatch):
    monkeypatch.setattr(tag_column, "SAMPLE", 4)
    _, repairs = read("B-PER I-PER", "B-PER I-PER", "O O", "O I-PER", "I-PER O")
    assert repairs.where == {"tag that does not follow the BIO scheme": ["corpus:32", "corpus:41"]}


def test_unknown_tags_are_not_an_entity_and_their_positions_are_known():
    column = TagColumn("corpus", Repairs(), unknown="UNK")
    tags = ["UNK", "B-PER", "I-PER", "UNK", "O"]
    assert column.entities(tags, 1) == [Entity.of("PER", 1, 3)]
    assert column.unknown_positions(tags) == (0, 3)
    assert column.unknown_positions(["O", "B-PER"]) == ()


def test_bare_types_are_read_with_the_io_scheme_only():
    found, repairs = read("PESSOA PESSOA O LOCAL PESSOA", scheme="IO")
    assert found == [[Entity.of("PESSOA", 0, 2), Entity.of("LOCAL", 3, 4), Entity.of("PESSOA", 4, 5)]]
    assert not repairs.counts
    with pytest.raises(ConfigurationError, match="corpus:1 has 'PESSOA'.*scheme to \"IO\""):
        read("PESSOA PESSOA O")


def test_tags_without_a_type_are_entities_without_a_type():
    assert read("B I O B")[0] == [[Entity.of("", 0, 2), Entity.of("", 3, 4)]]


def test_a_rare_malformed_tag_is_outside_and_counted():
    found, repairs = read("O O O", "B-PER IPER O")
    assert found[1] == [Entity.of("PER", 0, 1)]
    assert repairs.where == {"malformed tag read as O": ["corpus:12"]}


def test_a_column_of_something_else_is_refused_at_its_first_row():
    with pytest.raises(ConfigurationError, match="corpus:1 has 'NNP', but a tag"):
        read("NNP VBZ O")
