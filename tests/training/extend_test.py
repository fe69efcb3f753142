"""New types for a trained model: old weights are kept, old types are not forgotten, and new ones are learned."""

import json
from pathlib import Path

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import evaluate_snippet
from allennlp.data import DatasetReader
from allennlp.models import load_archive
from pytest import approx
from torch.testing import assert_close

from ner_zoo.annotation import Sentence
from ner_zoo.losses.partial_likelihood import PartialLikelihood
from ner_zoo.structures.structure import allowed_labels
from ner_zoo.training.extend import copy_weights
from tests.structures.enumeration import legal_labellings, random_chain
from tests.trained_models import JOINT, ROOT, TAGGER, joint_archive, tagger_archive

__all__ = ["joint_archive", "tagger_archive"]

NEW = {"Zorvex": "GEM", "Quillan": "GEM"}


def write(path: Path, lines: list[tuple[str, str]]) -> str:
    """Sentences around a name of the new type; the people in them are not annotated."""
    records = []
    for person, gem in lines:
        tokens = [*person.split(), "sold", "a", gem, "stone", "yesterday", "."]
        start = tokens.index(gem)
        records.append({"tokens": tokens, "entities": [{"type": "GEM", "start": start, "end": start + 1}]})
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def config(train: str, dev: str, extend: str, parts: str = TAGGER, view: str = "tags") -> dict:
    text = (
        "local experiment = import 'ner_zoo/experiment.libsonnet'; local use = import 'ner_zoo/use.libsonnet';"
        f"experiment + use.corpus('span_json', '{train}', '{dev}') + {parts} + {extend}"
        f" + {{ dataset_reader+: {{ view: '{view}' }} }}"
    )
    return json.loads(evaluate_snippet("extend.jsonnet", text, ext_vars={"NER_ZOO_DATA": "data"}))


@pytest.fixture(scope="module")
def extended(tagger_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("extend")
    people = ["Edda Abernathy", "Ada Lovelace", "Mira Voss", "Tom Hale", "Jane Roe", "Odo Prask"] * 3
    train = write(folder / "new.jsonl", [(one, gem) for one in people for gem in NEW])
    dev = write(folder / "dev.jsonl", [("Rita Moor", "Zorvex")])
    params = config(train, dev, f"use.extend('{tagger_archive}')")
    train_model(Params(params), str(folder / "run"))
    return folder / "run" / "model.tar.gz"


def test_the_extended_model_finds_old_and_new_types(tagger_archive, extended) -> None:
    from ner_zoo.api import load

    old, new = load(str(tagger_archive)), load(str(extended))
    assert set(new.labels) == {*old.labels, "GEM"}
    found = new(tokens=["Rita", "Moor", "sold", "a", "Quillan", "stone", "."]).entities
    assert ("GEM", "Quillan") in [(entity.type, entity.text) for entity in found]
    # Compared with gold: where the old model was wrong, the new one need not agree with it.
    lines = (ROOT / "fixtures" / "demo" / "dev.jsonl").read_text().splitlines()
    before = after = 0
    for record in map(json.loads, lines[:30]):
        tokens = record["tokens"]
        gold = {(e["type"], " ".join(tokens[e["start"] : e["end"]])) for e in record["entities"]}
        before += len(gold & {(e.type, e.text) for e in old(tokens=tokens).entities})
        after += len(gold & {(e.type, e.text) for e in new(tokens=tokens).entities})
    assert after > 0.9 * before > 0


def test_the_archive_of_the_extended_model_does_not_need_the_old_one(extended, tagger_archive, tmp_path) -> None:
    moved = tmp_path / "model.tar.gz"
    moved.write_bytes(extended.read_bytes())
    archive = load_archive(moved)
    names = archive.model.labels.names
    assert (
        names[: len(load_archive(tagger_archive).model.labels.names)] == load_archive(tagger_archive).model.labels.names
    )
    assert any("GEM" in name for name in names) and archive.dataset_reader.weak is None


def test_weights_become_the_first_rows_of_larger_ones(tagger_archive) -> None:
    small, large = torch.nn.Linear(3, 2), torch.nn.Linear(3, 4)
    rest = large.weight[2:].clone()
    copy_weights(small, large, {(2, 4)}, "a")
    assert_close(large.weight[:2], small.weight)
    assert_close(large.weight[2:], rest)
    with pytest.raises(ConfigurationError, match=r"bias is \(4,\) in a and \(2,\)"):
        copy_weights(large, small, {(2, 4)}, "a")
    with pytest.raises(ConfigurationError, match="absent"):
        copy_weights(torch.nn.Linear(3, 2, bias=False), large, {(2, 4)}, "a")


def test_only_words_and_labels_may_grow() -> None:
    with pytest.raises(ConfigurationError, match=r"weight_hh_l0 is \(20, 5\) in a and \(24, 6\) in the new model"):
        copy_weights(torch.nn.LSTM(3, 5, bias=False), torch.nn.LSTM(3, 6, bias=False), {(2, 4)}, "a")


def test_a_joint_model_is_refused(joint_archive, tmp_path) -> None:
    data = str(ROOT / "fixtures" / "demo" / "train.jsonl")
    params = config(data, data, f"use.extend('{joint_archive}')", JOINT, "joint")
    with pytest.raises(ConfigurationError, match="requires the model `tagger`"):
        train_model(Params(params), str(tmp_path / "run"))


def test_another_scheme_is_refused(tagger_archive, tmp_path) -> None:
    data = write(tmp_path / "new.jsonl", [("Jane Roe", "Zorvex")])
    params = config(data, data, f"use.extend('{tagger_archive}')")
    params["vocabulary"] = {}
    with pytest.raises(ConfigurationError, match="labels of"):
        train_model(Params(params), str(tmp_path / "run"))


def test_an_unknown_position_is_of_the_possible_labels_alone() -> None:
    gold = torch.tensor([[-1, 2]])
    possible = torch.tensor([True, True, False])
    assert allowed_labels(gold, 3, possible).tolist() == [[[True, True, False], [False, False, True]]]
    chain = random_chain("free", lengths=(3, 2))
    loss = PartialLikelihood()
    loss.possible_where_unknown = possible
    labels = torch.tensor([[-1, 2, -1], [1, -1, 0]])
    for sentence, value in enumerate(loss.per_sentence(chain, labels).tolist()):
        every = legal_labellings(chain, sentence)
        fitting = [
            score
            for tags, score in every.items()
            if all(tag == known or (known == -1 and tag < 2) for tag, known in zip(tags, labels[sentence].tolist()))
        ]
        total = torch.stack(list(every.values())).logsumexp(0)
        assert value == approx((total - torch.stack(fitting).logsumexp(0)).item())


def test_old_predictions_are_weak_labels_in_addition_to_the_new_annotation(tagger_archive, tmp_path) -> None:
    data = write(tmp_path / "new.jsonl", [("Edda Abernathy", "Zorvex")])

    def read(extend: str, reader: str = "dataset_reader") -> Sentence:
        params = config(data, data, extend)
        (instance,) = DatasetReader.from_params(Params(params[reader])).read(data)
        return instance["metadata"].metadata

    helped, alone = f"use.extend('{tagger_archive}')", f"use.extend('{tagger_archive}', predictions=null)"
    sentence = read(helped)
    assert {entity.type for entity in sentence.entities} >= {"GEM", "PER"} and sentence.unknown == ()
    sentence = read(alone)
    assert [entity.type for entity in sentence.entities] == ["GEM"]
    assert sentence.unknown == (0, 1, 2, 3, 5, 6, 7)
    for extend in (helped, alone):
        sentence = read(extend, "validation_dataset_reader")
        assert [entity.type for entity in sentence.entities] == ["GEM"] and sentence.unknown == ()


def test_the_rate_is_that_of_the_config_unless_another_is_given() -> None:
    plain, slower = (
        config("a", "b", f"use.extend('old'{more})")["trainer"] for more in ("", ", rate=0.0005, epochs=4")
    )
    assert plain["optimizer"]["lr"] == 0.001 and plain["num_epochs"] == 10
    assert slower["optimizer"]["lr"] == 0.0005 and slower["num_epochs"] == 4
