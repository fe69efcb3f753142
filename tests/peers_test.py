"""Other tools get the same sentences and the same scoring."""

from ner_zoo.annotation import Entity, Sentence
from results.peers.corpus import f1
from results.peers.crf_tagger import BETWEEN, entities, line
from results.peers.section import section
from results.peers.spacy_ner import token_span

SENTENCE = Sentence(("Ada", "Lovelace", "met", "Babbage"), (Entity.of("person", 0, 2), Entity.of("person", 3, 4)))


def test_an_entity_counts_if_its_boundaries_and_its_type_are_right():
    assert f1([SENTENCE], [{(0, 2, "person"), (3, 4, "person")}]) == 100.0
    assert f1([SENTENCE], [{(0, 2, "person"), (3, 4, "place")}]) == 50.0
    assert f1([SENTENCE], [{(0, 1, "person")}]) == 0.0
    assert f1([Sentence(("nobody",))], [set()]) == 0.0


def test_the_crf_tagger_is_given_tags_from_which_its_entities_come_back():
    words, tags = zip(*(pair.split(BETWEEN) for pair in line(SENTENCE).rstrip("\n").split("\t")))
    assert words == SENTENCE.tokens and tags == ("B-person", "I-person", "O", "B-person")
    assert entities(tags) == {(0, 2, "person"), (3, 4, "person")}


def test_entities_of_another_tokenization_are_found_by_their_characters():
    assert token_span(SENTENCE, 0, 12, "person") == (0, 2, "person")
    assert token_span(SENTENCE, 17, 24, "person") == (3, 4, "person")
    first, end, _ = token_span(SENTENCE, 4, 8, "person")
    assert first == 1 and end < 0, "an entity that ends inside a token is wrong"


def test_a_tool_has_one_row_for_all_of_its_seeds_and_is_tested_against_ours():
    row = {"corpus": "wnut17", "tool": "spacy_ner", "seed": 1, "dev_f1": 40.0, "test_f1": 30.0, "cpu_minutes": 2.0}
    row |= {"words_per_second": 12345, "megabytes": 7.0}
    theirs = [row, row | {"seed": 2, "test_f1": 31.0}]
    assert "| WNUT-17 | spaCy's `ner` | 1, 2 | 40.00 ± 0.00 | 30.50 ± 0.71 | – | 2.0 | 12,345 | 7.0 |" in section(
        theirs
    )
    ours = [row | {"tool": "ours", "config": "roseq/wnut17", "seed": seed, "test_f1": 30.0 + seed} for seed in (1, 2)]
    text = section([*ours, *theirs])
    assert "| ner_zoo, `roseq/wnut17` | 1, 2 | 40.00 ± 0.00 | 31.50 ± 0.71 | – |" in text
    # The difference is the square root of two standard errors, with two degrees of freedom.
    assert "30.50 ± 0.71 | 0.1464 |" in text
    assert section([]) == ""
