"""Words embedded by the prefixes of their cluster's path."""

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.tokenizers import Token
from allennlp.models import load_archive

from ner_zoo.data.known_spelling import KnownSpelling
from ner_zoo.modules.word_clusters import WordClusters

# Paths 1010..., 1010..., 1011..., 0100...
FILE = "tomorrow\t40960\ntmrw\t40960\ntoday\t45056\nlisbon\t16384\n"


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "clusters.tsv"
    file.write_text(FILE)
    return str(file)


def embedder(path, words=("Tomorrow", "Lisbon", "zzyzx"), prefixes=(3, 4)):
    vocab = Vocabulary(tokens_to_add={"words": list(words)})
    module = WordClusters(vocab, 2, path, "words", prefixes)
    torch.manual_seed(0)
    torch.nn.init.normal_(module.embedding.weight)
    return vocab, module


def vectors(vocab, module, *words):
    numbers = KnownSpelling("words").tokens_to_indices([Token(word) for word in words], vocab)["tokens"]
    return module(torch.tensor([numbers]))[0]


def test_words_of_one_cluster_have_one_vector_seen_or_not(path):
    first, second = vectors(*embedder(path), "Tomorrow", "tmrw")
    assert torch.equal(first, second)


def test_words_of_near_clusters_share_their_coarse_prefix_alone(path):
    first, second = vectors(*embedder(path), "tomorrow", "TODAY")
    assert torch.equal(first[:2], second[:2])
    assert not torch.equal(first[2:], second[2:])


def test_words_without_a_cluster_share_one_vector(path):
    vocab, module = embedder(path)
    unseen, seen, known = vectors(vocab, module, "qqq", "zzyzx", "lisbon")
    assert torch.equal(unseen, seen)
    assert not torch.equal(seen, known)


def test_a_cluster_that_training_never_saw_is_zero(path):
    vocab = Vocabulary(tokens_to_add={"words": ["lisbon"]})
    assert not WordClusters(vocab, 2, path, "words")(torch.arange(4)[None]).any()


def test_words_that_fine_tuning_adds_have_the_clusters_of_their_other_spellings(path):
    vocab, module = embedder(path)
    vocab.add_tokens_to_namespace(["TODAY", "wxyz"], "words")
    module.extend_vocab(vocab)
    assert len(module.clusters) == vocab.get_vocab_size("words")
    new, old, unknown, other = vectors(vocab, module, "TODAY", "today", "wxyz", "zzyzx")
    assert torch.equal(new, old)
    assert torch.equal(unknown, other)


@pytest.mark.parametrize("prefixes", [(), (0,), (4, 17)])
def test_prefixes_that_no_path_has_are_refused(path, prefixes):
    with pytest.raises(ConfigurationError, match="from 1 to 16"):
        embedder(path, prefixes=prefixes)


@pytest.mark.parametrize("number", ["1.5", "65536", "-1"])
def test_a_number_that_is_not_a_path_is_refused(tmp_path, number):
    file = tmp_path / "vectors.txt"
    file.write_text(f"harbour {number}\n")
    with pytest.raises(ConfigurationError, match="Check that it is a file of clusters"):
        embedder(str(file))


def test_an_archive_has_the_clusters_of_unseen_words_when_the_file_is_gone(path, tmp_path):
    config = {
        "dataset_reader": {
            "type": "span_json",
            "view": "tags",
            "max_instances": 10,
            "token_indexers": {"clusters": {"type": "known_spelling", "namespace": "words"}},
        },
        "train_data_path": "fixtures/demo/train.jsonl",
        "datasets_for_vocab_creation": ["train"],
        "model": {
            "type": "tagger",
            "embedder": {
                "token_embedders": {
                    "clusters": {
                        "type": "word_clusters",
                        "embedding_dim": 2,
                        "pretrained_file": path,
                        "vocab_namespace": "words",
                    }
                }
            },
            "encoder": {"type": "pass_through", "input_dim": 8},
            "head": "softmax",
            "loss": "nll",
        },
        "data_loader": {"batch_size": 5},
        "trainer": {"num_epochs": 1, "optimizer": {"type": "sgd", "lr": 0.1}},
    }
    train_model(Params(config), str(tmp_path / "run"))
    (tmp_path / "clusters.tsv").unlink()
    model = load_archive(tmp_path / "run" / "model.tar.gz").model
    module = model.embedder.token_embedder_clusters
    torch.nn.init.normal_(module.embedding.weight)
    first, second, other = vectors(model.vocab, module, "tmrw", "Tomorrow", "today")
    assert torch.equal(first, second)
    assert not torch.equal(first, other)
