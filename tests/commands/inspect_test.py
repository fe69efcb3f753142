import json
import sys
from pathlib import Path

import pytest
from allennlp.commands import main
from allennlp.common.checks import ConfigurationError

from ner_zoo.commands.inspect import gather
from ner_zoo.commands.reader_arguments import make_corpus

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture
def inspect(monkeypatch, capsys):
    """Runs `allennlp inspect` with the arguments and returns its output."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["allennlp", "inspect", *map(str, arguments)])
        main()
        return capsys.readouterr().out

    return run


def test_json_is_one_object_summed_over_the_files(inspect):
    found = json.loads(
        inspect("--json", "--reader", "conll04", FIXTURES / "conll04/train.txt", FIXTURES / "conll04/dev.txt")
    )
    assert (found["sentences"], found["tokens"], found["entities"], found["relations"]) == (6, 44, 13, 8)
    assert found["entity_types"] == {"Peop": 6, "Loc": 4, "Org": 2, "Other": 1}
    assert found["relation_types"] == {"Located_In": 2, "OrgBased_In": 2, "Work_For": 2, "Live_In": 1, "Kill": 1}
    assert found["repairs"] == {
        "tag that does not follow the BIO scheme": 1,
        "I- tags without a B- ignored": 1,
    }
    assert found["first_places"]["I- tags without a B- ignored"] == [f"{FIXTURES}/conll04/train.txt:20"]


def test_the_report_shows_counts_types_lengths_and_nesting(inspect):
    text = inspect("--reader", "germeval14", FIXTURES / "germeval14/NER-de-dev.tsv")
    assert "sentences     3" in text.replace("  published", "")
    for line in ("Entity types (8)", "Tags (BIO, outermost entities)", "Entity widths in tokens", "Repairs: none"):
        assert line in text
    assert "nested entities                                  3" in text
    assert "Relation types" not in text


def test_the_format_is_recognised_and_the_first_sentences_are_shown(inspect):
    text = inspect(FIXTURES / "prodigy" / "train.jsonl")
    assert (
        "First sentences\n  [Ada Quill]PER moved to [Lune]LOC.\n    MOVES_TO: Ada Quill -> Lune\n  Nobody came." in text
    )


def test_repairs_are_listed_with_their_first_places(inspect):
    text = inspect("--reader", "conll", FIXTURES / "conll2002/esp.train")
    assert f"1 × tag that does not follow the BIO scheme\n      {FIXTURES}/conll2002/esp.train:20" in text


def test_published_counts_are_next_to_the_counts_read(inspect):
    text = inspect("--reader", "conll", FIXTURES / "conll2002/esp.train")
    row = next(line for line in text.split("\n") if line.strip().startswith("sentences"))
    assert row.split() == ["sentences", "4", "8,323", "-8,319"]
    assert "published" not in inspect("--reader", "msra", FIXTURES / "msra/msra_train_bio")


def test_published_counts_are_summed_over_a_path_expression(inspect):
    text = inspect("--reader", "ec", f"{FIXTURES}/ec/train + ds_pa")
    row = next(line for line in text.split("\n") if line.strip().startswith("sentences"))
    assert row.split()[2] == f"{1097 + 2560:,}"
    assert "tokens without annotation" in text


def test_arguments_of_the_corpus_are_given_as_json(inspect):
    arguments = ("--reader-params", '{"segmentation_digits": true}', FIXTURES / "weibo/weiboNER.train")
    found = json.loads(inspect("--json", "--reader", "conll", *arguments))
    assert found["repairs"] == {} and found["tokens"] == 10


@pytest.mark.parametrize(
    "reader, params, path, complaint",
    [
        ("conl", "{}", "x", "conl"),
        ("conll", "{}", "no/such/file", "There is no corpus file at 'no/such/file'"),
        ("conll", "{", "x", "--reader-params is not JSON"),
        ("conll", "[]", "x", "must be a JSON object"),
        ("conll", '{"colums": []}', "x", "colums"),
        ("ontonotes", "{}", f"{FIXTURES}/msra", "contains no file that matches"),
    ],
)
def test_errors_are_configuration_errors(reader, params, path, complaint):
    with pytest.raises(ConfigurationError, match=complaint):
        gather(make_corpus(reader, params), [path])


def test_help_explains_the_command_with_examples(inspect, capsys):
    with pytest.raises(SystemExit):
        inspect("--help")
    text = capsys.readouterr().out
    for words in ("--reader-params", "examples:", "published counts", "wnut"):
        assert words in text
