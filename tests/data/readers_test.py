import itertools
import logging

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.dataset_readers.dataset_reader import DistributedInfo, WorkerInfo

from ner_zoo.data.candidates import Contiguous
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.readers import CorpusReader
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.views import Joint, Spans, Tags
from ner_zoo.labels.tags import TagLabels
from ner_zoo.structures import UNKNOWN
from tests.data.decoded_spans import entities_from_spans
from tests.labels.decoding import entities_of, relations_from_pairs
from tests.real_corpora import DATA

DEMO = "fixtures/demo/dev.jsonl"
CORPORA = {
    "wnut": "wnut17/emerging.dev.conll",
    "conll": "conll2002/ned.testa",
    "ec": "ec/dev",
    "news": "news/ds_fa",
    "conll04": "conll04/train.txt",
    "germeval14": "germeval14/germ.dev.iob2",
    "genia": "genia/genia.dev.iob2",
    "litbank": "litbank/tsv",
    "nerel": "nerel/dev",
    "msra": "msra/msra_train_bio.head6000",
    "anercorp": "anercorp/ANERCorp.head100000",
    "harem": "harem/ColeccaoDouradaHAREM.txt",
}


def sentences_of(name, path, limit=1500):
    corpus = Corpus.by_name(name)()
    every = (s for file in corpus.files(str(path)) for s in corpus.sentences(file, Repairs()))
    return list(itertools.islice(every, limit))


def batched(reader, sentences, left_out):
    """The tensors of the sentences, in batches, with the names of the labels."""
    instances = [reader._instance(sentence, left_out) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    vocab = Vocabulary.from_instances(instances)
    for start in range(0, len(instances), 64):
        batch = Batch(instances[start : start + 64])
        batch.index_instances(vocab)
        yield batch.as_tensor_dict(), vocab


def names(vocab, namespace="labels"):
    return [vocab.get_token_from_index(i, namespace) for i in range(vocab.get_vocab_size(namespace))]


def decode_tags(tensors, vocab, scheme):
    lengths = torch.tensor([len(sentence.tokens) for sentence in tensors["metadata"]])
    labels = tensors["labels"]
    mask = torch.arange(labels.shape[1]) < lengths.unsqueeze(1)
    return entities_of(TagLabels.of(names(vocab), scheme), labels.clamp(min=0), mask & (labels >= 0))


@pytest.mark.parametrize("name", sorted(CORPORA))
@pytest.mark.parametrize("scheme", ["BIO", "BIOUL"])
def test_gold_tags_decode_to_the_gold_entities_less_what_was_counted(name, scheme):
    if not DATA.is_dir():
        pytest.skip("the corpora are not there")
    reader, left_out = CorpusReader(Corpus.by_name(name)(), view=Tags(scheme)), Repairs()
    gold = right = 0
    for tensors, vocab in batched(reader, sentences_of(name, DATA / CORPORA[name]), left_out):
        for sentence, entities in zip(tensors["metadata"], decode_tags(tensors, vocab, scheme)):
            assert set(entities) <= set(sentence.entities), sentence.source
            gold, right = gold + len(sentence.entities), right + len(entities)
    assert gold > 0 and gold - right == sum(left_out.counts.values())


@pytest.mark.parametrize("name", sorted(CORPORA))
def test_gold_spans_decode_to_the_gold_entities_less_what_was_counted(name):
    if not DATA.is_dir():
        pytest.skip("the corpora are not there")
    view = Spans(Contiguous(max_width=12))
    reader, left_out = CorpusReader(Corpus.by_name(name)(), view=view), Repairs()
    gold = right = 0
    for tensors, vocab in batched(reader, sentences_of(name, DATA / CORPORA[name], 600), left_out):
        labels = names(vocab)
        columns = (tensors["metadata"], tensors["spans"], tensors["labels"], tensors["links"].tolist())
        for sentence, spans, numbers, links in zip(*columns):
            inside = spans[:, 0, 0] >= 0
            named = [labels[i] if i != UNKNOWN else "O" for i in numbers[inside].tolist()]
            found = entities_from_spans(spans[inside].tolist(), named, links)
            assert set(found) <= set(sentence.entities), sentence.source
            gold, right = gold + len(sentence.entities), right + len(found)
    assert gold > 0 and gold - right == sum(left_out.counts.values())


@pytest.mark.parametrize("name", ["conll04", "nerel"])
def test_gold_pairs_decode_to_the_gold_relations_less_what_was_counted(name):
    if not DATA.is_dir():
        pytest.skip("the corpora are not there")
    reader, left_out = CorpusReader(Corpus.by_name(name)(), view=Joint()), Repairs()
    gold = right = 0
    for tensors, vocab in batched(reader, sentences_of(name, DATA / CORPORA[name]), left_out):
        labels = names(vocab, "relation_labels")
        rows = zip(tensors["metadata"], decode_tags(tensors, vocab, "BIOUL"), tensors["relation_labels"].tolist())
        for sentence, entities, grid in rows:
            pairs = itertools.combinations(range(len(entities)), 2)
            found = relations_from_pairs(entities, {(i, j): labels[grid[i][j]] for i, j in pairs})
            assert set(found) <= set(sentence.relations), sentence.source
            gold, right = gold + len(sentence.relations), right + len(found)
    counted = sum(count for kind, count in left_out.counts.items() if "relation" in kind)
    assert gold > 0 and gold - right == counted


def test_every_corpus_is_a_reader_that_takes_the_corpus_own_arguments():
    assert set(Corpus.list_available()) <= set(DatasetReader.list_available())
    reader = DatasetReader.from_params(Params({"type": "conll", "encoding": "latin-1", "view": "tags"}))
    assert isinstance(reader, CorpusReader) and reader.corpus.encoding == "latin-1"


def test_a_tokenizer_serves_the_corpus_and_the_texts_to_come():
    reader = DatasetReader.from_params(Params({"type": "standoff", "tokenizer": "characters"}))
    texts = [token.text for token in reader.tokenizer.tokenize("ab")]
    assert texts == ["a", "b"]
    assert type(reader.corpus.text_tokenizer) is type(reader.tokenizer)


def test_an_unknown_key_of_a_reader_is_refused_by_name():
    with pytest.raises(ConfigurationError, match="enkoding"):
        DatasetReader.from_params(Params({"type": "conll", "enkoding": "latin-1"}))


@pytest.mark.parametrize("world, workers", [(1, 1), (2, 1), (1, 3), (2, 2), (3, 2)])
def test_all_processes_together_read_every_sentence_exactly_once(world, workers):
    whole = [i["metadata"].metadata for i in DatasetReader.from_params(Params({"type": "span_json"})).read(DEMO)]
    seen = []
    for rank, worker in itertools.product(range(world), range(workers)):
        reader = DatasetReader.from_params(Params({"type": "span_json"}))
        reader._set_distributed_info(DistributedInfo(world, rank))
        reader._set_worker_info(WorkerInfo(workers, worker))
        seen += [instance["metadata"].metadata for instance in reader.read(DEMO)]
    assert sorted(seen, key=str) == sorted(whole, key=str) and len(whole) == 100


def test_a_loader_with_two_processes_gives_every_sentence_once():
    reader = DatasetReader.from_params(Params({"type": "span_json", "annotation_dropout": {"probability": 0.5}}))
    alone = [instance["metadata"].metadata for instance in reader.read(DEMO)]
    loader = MultiProcessDataLoader(reader, DEMO, batch_size=7, num_workers=2, quiet=True)
    together = [instance["metadata"].metadata for instance in loader.iter_instances()]
    assert sorted(together, key=str) == sorted(alone, key=str)


def test_max_instances_is_a_total():
    reader = DatasetReader.from_params(Params({"type": "span_json", "max_instances": 7}))
    assert len(list(reader.read(DEMO))) == 7


def test_annotation_dropout_forgets_the_same_entities_in_every_epoch():
    reader = DatasetReader.from_params(Params({"type": "span_json", "annotation_dropout": {"probability": 0.5}}))
    first, second = ([i["metadata"].metadata.entities for i in reader.read(DEMO)] for _ in range(2))
    plain = [
        i["metadata"].metadata.entities for i in DatasetReader.from_params(Params({"type": "span_json"})).read(DEMO)
    ]
    assert first == second
    assert 0.3 < sum(map(len, first)) / sum(map(len, plain)) < 0.7


def test_repairs_are_reported_once_per_file(tmp_path, caplog):
    file = tmp_path / "stray.txt"
    file.write_text("Ada\tI-PER\nslept\tO\n\n" * 3 + "Bob\tB-PER\n\n" * 5)
    reader = DatasetReader.from_params(Params({"type": "wnut"}))
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            list(reader.read(str(file)))
    assert len([r for r in caplog.records if "3 times" in r.getMessage() and "stray.txt" in r.getMessage()]) == 1


def test_a_missing_file_says_where_it_was_looked_for():
    with pytest.raises(ConfigurationError, match="no/such/file"):
        list(DatasetReader.from_params(Params({"type": "wnut"})).read("no/such/file"))
