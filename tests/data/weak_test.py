"""Weak labels: what sources find, and which of it is kept."""

import json
import random
import time
from pathlib import Path

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.dictionary_source import Dictionary
from ner_zoo.data.pattern_source import Patterns
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.weak import WeakLabels
from ner_zoo.data.weak_source import spaced_text


def dictionary(folder: Path, **names: list[str] | str) -> Dictionary:
    files = {}
    options = {key: names.pop(key) for key in ("case", "min_characters", "priority") if key in names}
    for type, some in names.items():
        path = folder / f"{type}-{len(list(folder.iterdir()))}.txt"
        path.write_text("\n".join(some) + "\n", encoding="utf-8")
        files[type] = str(path)
    return Dictionary(files, **options)


def found(source: Dictionary | Patterns, sentence: Sentence) -> set[tuple[str, int, int]]:
    (entities,) = source.find([sentence], Repairs())
    return {(entity.type, entity.start, entity.end) for entity in entities}


def words(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


def characters(text: str) -> Sentence:
    return Sentence(tuple(text))


def text(raw: str, *tokens: str) -> Sentence:
    offsets, position = [], 0
    for token in tokens:
        position = raw.index(token, position)
        offsets.append((position, position + len(token)))
        position += len(token)
    return Sentence(tokens, text=raw, offsets=tuple(offsets))


def test_names_are_found_on_whole_tokens_only(tmp_path):
    source = dictionary(tmp_path, LOC=["New York", "York", "ew"])
    assert found(source, words("I like New York and Yorkshire")) == {("LOC", 2, 4), ("LOC", 3, 4)}


def test_a_space_in_the_name_is_a_border_of_tokens_and_one_in_the_text_a_space_in_the_name(tmp_path):
    source = dictionary(tmp_path, X=["an ice", "U.S.", "new\tline"])
    assert found(source, words("a nice an ice U.S.")) == {("X", 2, 4), ("X", 4, 5)}
    assert found(source, text("The U.S. army", "The", "U", ".", "S", ".", "army")) == {("X", 1, 5)}
    assert found(source, text("The U . S .", "The", "U", ".", "S", ".")) == set()
    assert found(source, words("a new line")) == {("X", 1, 3)}


def test_chinese_is_found_without_spaces_and_names_with_spaces_among_characters(tmp_path):
    source = dictionary(tmp_path, 人=["张三", "too cool"], case="ignore")
    assert found(source, characters("我是张三吗")) == {("人", 2, 4)}
    assert found(source, characters("买Too Cool吧")) == {("人", 1, 9)}
    assert found(source, characters("买Toocool吧")) == set()
    assert found(source, Sentence(("我", "是", "张三", "in", "Lima"))) == {("人", 2, 3)}


def test_case_matters_unless_it_is_ignored_and_no_offset_moves(tmp_path):
    names = ["İstanbul", "lima"]
    assert found(dictionary(tmp_path, LOC=names), words("LIMA lima İSTANBUL")) == {("LOC", 1, 2)}
    ignoring = dictionary(tmp_path, LOC=names, case="ignore")
    assert found(ignoring, words("İİİ LIMA lima")) == {("LOC", 1, 2), ("LOC", 2, 3)}


def test_short_names_are_left_out_and_one_name_may_have_two_types(tmp_path):
    source = dictionary(tmp_path, A=["x", "xy"], B=["xy", "", "  "], min_characters=2)
    assert found(source, words("x xy")) == {("A", 1, 2), ("B", 1, 2)}


def test_a_table_has_a_type_for_each_name(tmp_path):
    (tmp_path / "names.tsv").write_text("New York\tLOC\nAda\tPER\n")
    source = Dictionary(table=str(tmp_path / "names.tsv"))
    assert found(source, words("Ada in New York")) == {("PER", 0, 1), ("LOC", 2, 4)}
    (tmp_path / "names.tsv").write_text("New York\tLOC\nAda PER\n")
    with pytest.raises(ConfigurationError, match=r"names.tsv:2 has no TAB"):
        found(Dictionary(table=str(tmp_path / "names.tsv")), words("a"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "contains no names. Write one name on each line"),
        (" \n\n\t\n", "contains no names. Write one name on each line"),
        ("Xi\n\nYi\n", "are shorter than min_characters, 3. Lower"),
    ],
)
def test_one_file_without_names_among_others_is_refused_by_its_name(tmp_path, content, problem):
    (tmp_path / "per.txt").write_text("Ada\n")
    (tmp_path / "loc.txt").write_text(content)
    files = {"PER": str(tmp_path / "per.txt"), "LOC": str(tmp_path / "loc.txt")}
    with pytest.raises(ConfigurationError, match=f"loc.txt {problem}"):
        found(Dictionary(files, min_characters=3), words("Ada"))


def test_an_empty_table_is_refused(tmp_path):
    (tmp_path / "names.tsv").write_text("\n")
    with pytest.raises(ConfigurationError, match="names.tsv contains no names. Write a name, a TAB and its type"):
        found(Dictionary(table=str(tmp_path / "names.tsv")), words("Ada"))


def test_a_name_with_the_same_type_in_two_files_is_no_empty_file(tmp_path):
    (tmp_path / "names.txt").write_text("Ada\n")
    (tmp_path / "names.tsv").write_text("Ada\tPER\n")
    source = Dictionary({"PER": str(tmp_path / "names.txt")}, str(tmp_path / "names.tsv"))
    assert found(source, words("Ada")) == {("PER", 0, 1)}


def test_dictionaries_agree_with_a_search_for_every_name(tmp_path):
    draw = random.Random(1)
    names = ["".join(draw.choices("ab", k=draw.randint(1, 4))) for _ in range(30)]
    names += [" ".join("".join(draw.choices("ab", k=draw.randint(1, 2))) for _ in range(2)) for _ in range(20)]
    source = dictionary(tmp_path, X=names)
    for _ in range(50):
        tokens = ["".join(draw.choices("ab", k=draw.randint(1, 3))) for _ in range(12)] + ["long"]
        expected = {
            ("X", start, end)
            for start in range(len(tokens))
            for end in range(start + 1, len(tokens) + 1)
            if " ".join(tokens[start:end]) in names
        }
        assert found(source, Sentence(tuple(tokens))) == expected


def test_ten_times_the_names_do_not_take_ten_times_as_long_to_find(tmp_path):
    draw = random.Random(2)
    tokens = ["".join(draw.choices("abcdefgh", k=5)) for _ in range(20_000)]
    seconds = []
    for number in (2_000, 20_000):
        source = dictionary(tmp_path, X=["".join(draw.choices("abcdefgh", k=8)) for _ in range(number)])
        assert source.names
        started = time.process_time()
        found(source, Sentence(tuple(tokens)))
        seconds.append(time.process_time() - started)
    assert seconds[1] < 4 * seconds[0] + 0.05


def test_patterns_find_matches_or_their_group_on_whole_tokens():
    source = Patterns({"DATE": r"\d{4}-\d\d", "PER": [r"Dr\. (?P<entity>\p{Lu}\w+)", "Ms (?P<entity>[A-Z]+)"]})
    assert found(source, words("Dr. Roe and Ms ROE met 2020-01")) == {("PER", 1, 2), ("PER", 4, 5), ("DATE", 6, 7)}
    repairs = Repairs()
    assert source.find([words("x2020-01")], repairs) == [[]]
    assert repairs.counts == {"pattern match that splits a token left out": 1}
    assert found(Patterns({"X": "ab"}, ignore_case=True), characters("12AB")) == {("X", 2, 4)}


@pytest.mark.parametrize("pattern", ["(", r"\p{Nothing}"])
def test_an_invalid_pattern_is_refused(pattern):
    with pytest.raises(ConfigurationError, match="not a valid regular expression"):
        Patterns({"X": pattern})


class Fixed(Dictionary):
    """Returns given entities."""

    def __init__(self, *entities: Entity, priority: int = 0) -> None:
        self.entities = list(entities)
        self.priority = priority

    def find(self, sentences, repairs):
        return [self.entities for _ in sentences]


def labelled(weak: WeakLabels, sentence: Sentence) -> Sentence:
    ((number, one),) = weak([(7, sentence)], Repairs())
    assert number == 7 and one.tokens == sentence.tokens
    return one


FIVE = words("a b c d e")
LONG, SHORT, RIGHT = Entity.of("L", 0, 3), Entity.of("S", 2, 3), Entity.of("R", 3, 4)


def test_the_longest_stays_unless_another_has_priority():
    assert labelled(WeakLabels([Fixed(SHORT, RIGHT), Fixed(LONG)]), FIVE).entities == (LONG, RIGHT)
    assert labelled(WeakLabels([Fixed(SHORT, priority=1), Fixed(LONG)]), FIVE).entities == (SHORT,)
    left = Entity.of("X", 1, 3)
    assert labelled(WeakLabels([Fixed(Entity.of("Y", 2, 4), left)]), FIVE).entities == (left,)


def test_what_is_not_covered_is_outside_or_unknown():
    assert labelled(WeakLabels([Fixed(SHORT)]), FIVE).unknown == ()
    assert labelled(WeakLabels([Fixed(SHORT)], uncovered="UNKNOWN"), FIVE).unknown == (0, 1, 3, 4)


def test_two_types_on_a_span_are_the_first_or_unknown_and_are_counted():
    rival = Entity.of("T", 2, 3)
    repairs = Repairs()
    weak = WeakLabels([Fixed(SHORT), Fixed(rival, RIGHT)], conflicts="unknown")
    ((_, one),) = weak([(0, FIVE)], repairs)
    assert one.entities == (RIGHT,) and one.unknown == (2,)
    assert repairs.counts == {"span with weak labels of several types": 1}
    assert labelled(WeakLabels([Fixed(SHORT), Fixed(rival)]), FIVE).entities == (SHORT,)
    settled = WeakLabels([Fixed(SHORT), Fixed(rival, priority=1)], conflicts="unknown")
    assert labelled(settled, FIVE).entities == (rival,)


def test_the_annotation_of_the_file_wins_with_its_relations_or_is_forgotten():
    own = Entity.of("S", 1, 2)
    annotated = Sentence(FIVE.tokens, (own, RIGHT), (Relation("r", own, RIGHT),), unknown=(0, 4))
    kept = labelled(WeakLabels([Fixed(LONG, Entity.of("X", 4, 5))]), annotated)
    assert kept.entities == (own, RIGHT, Entity.of("X", 4, 5)) and kept.relations == annotated.relations
    assert kept.unknown == (0,)
    forgotten = labelled(WeakLabels([Fixed(LONG)], keep_annotation=False), annotated)
    assert forgotten.entities == (LONG,) and forgotten.relations == () and forgotten.unknown == ()


@pytest.mark.parametrize("wrong", [{"sources": []}, {"uncovered": "X"}, {"conflicts": "both"}])
def test_invalid_settings_are_refused(wrong):
    with pytest.raises(ConfigurationError):
        WeakLabels(**{"sources": [Fixed()], **wrong})


def test_a_reader_labels_plain_text_and_opens_no_dictionary_before(tmp_path):
    (tmp_path / "names").write_text("Ada Lovelace\n")
    (tmp_path / "raw.txt").write_text("Ada Lovelace lived in London. She knew him.\n\nAda sang.\n")
    sources = [
        {"type": "dictionary", "files": {"PER": str(tmp_path / "names")}},
        {"type": "patterns", "patterns": {"LOC": "(?<=in )[A-Z]\\w+"}},
    ]
    weak = {"sources": sources, "uncovered": "UNKNOWN"}
    config = json.dumps({"type": "text", "weak": weak, "view": "tags"})
    reader = DatasetReader.from_params(Params(json.loads(config)))
    sentences = [instance["metadata"].metadata for instance in reader.read(str(tmp_path / "raw.txt"))]
    assert [sentence.tokens[:2] for sentence in sentences] == [("Ada", "Lovelace"), ("She", "knew"), ("Ada", "sang")]
    assert sentences[0].entities == (Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5))
    assert sentences[0].unknown == (2, 3, 5) and len(sentences[1].unknown) == 4
    lazy = DatasetReader.from_params(Params(json.loads(config.replace("names", "nowhere"))))
    with pytest.raises(ConfigurationError, match="nowhere"):
        list(lazy.read(str(tmp_path / "raw.txt")))


SOURCES = {
    "use.dictionary({ PER: 'names', LOC: 'names' })": "LOC",
    "use.patterns({ PER: 'Paris', LOC: 'Paris' })": "LOC",
    "use.dictionary({ PER: 'names' }), use.dictionary({ LOC: 'names' })": "PER",
}


@pytest.mark.parametrize("sources", SOURCES)
def test_of_two_types_the_first_in_the_alphabet_wins_in_one_source_and_the_first_source_in_two(
    tmp_path, monkeypatch, sources
):
    monkeypatch.chdir(tmp_path)
    Path("names").write_text("Paris\n")
    Path("raw.txt").write_text("Paris\n")
    Path("config.jsonnet").write_text(f"local use = import 'ner_zoo/use.libsonnet';\n{{}} + use.weak([{sources}])")
    options = Params.from_file("config.jsonnet").as_dict()["dataset_reader"]
    reader = DatasetReader.from_params(Params({**options, "type": "text", "view": "tags"}))
    (instance,) = reader.read("raw.txt")
    (entity,) = instance["metadata"].metadata.entities
    assert entity.type == SOURCES[sources]


def test_tokens_without_a_text_have_spaces_between_words_and_none_in_chinese():
    assert spaced_text(words("Ada likes it")).text == "Ada likes it"
    assert spaced_text(Sentence(("我", "like", "张三", "的", "New", "York"))).text == "我like张三的New York"
    assert spaced_text(characters("我k g")).text == "我k g"
