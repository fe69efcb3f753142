import gc
import multiprocessing
from pathlib import Path

import numpy as np
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.data import vector_store
from ner_zoo.data.vector_store import VectorStore, sentence_key

LAYERS, DIM = 2, 3
HASH = "a" * 64


def key(number):
    return sentence_key(np.array([number]), np.array([[0, 0]]))


def vectors(number, words=4):
    generator = torch.Generator().manual_seed(number)
    return torch.randn(LAYERS, words, DIM, generator=generator)


def opened(folder, encoder=HASH):
    store = VectorStore(folder, encoder, LAYERS, DIM)
    with store.locked():
        pass
    return store


def filled(folder, numbers=(1, 2)):
    store = VectorStore(folder, HASH, LAYERS, DIM)
    with store.locked():
        store.add([key(number) for number in numbers], [vectors(number, words=number) for number in numbers])
    return store


def the_file(folder):
    (file,) = folder.rglob("*.safetensors")
    return file


def test_what_one_run_adds_another_finds_in_half_precision(tmp_path):
    filled(tmp_path)
    store = opened(tmp_path)
    assert len(store) == 2 and key(1) in store and key(3) not in store
    for number in (1, 2):
        assert store[key(number)].dtype == torch.half
        assert_close(store[key(number)], vectors(number, words=number).half())


def test_files_add_up(tmp_path):
    store = filled(tmp_path, numbers=(1, 2))
    with store.locked():
        store.add([key(5)], [vectors(5)])
    found = opened(tmp_path)
    assert len(found) == 3 and len(list(tmp_path.rglob("*.safetensors"))) == 2
    assert_close(found[key(5)], vectors(5).half())


@pytest.mark.parametrize("words", [(1, 2), (2, 1)])
def test_a_key_depends_on_pieces_and_on_the_words_they_make_up(words):
    first, second = words
    one = sentence_key(np.array([1, 2, 3]), np.array([[0, first], [second, 2]]))
    assert one != sentence_key(np.array([1, 2, 3]), np.array([[0, 2]]))
    assert one != sentence_key(np.array([1, 2]), np.array([[0, first], [second, 2]]))
    assert one == sentence_key(np.array([1, 2, 3]), np.array([[0, first], [second, 2]]))


@pytest.mark.parametrize("size", [0, 5, 200, -1])
def test_a_file_that_is_cut_off_is_noticed_and_its_sentences_are_missing(tmp_path, caplog, size):
    filled(tmp_path)
    file = the_file(tmp_path)
    file.write_bytes(file.read_bytes()[:size])
    store = opened(tmp_path)
    assert len(store) == 0 and not file.exists()
    assert "computed again" in caplog.text
    filled(tmp_path)
    assert len(opened(tmp_path)) == 2


def test_a_file_in_which_one_bit_has_changed_is_noticed(tmp_path, caplog):
    filled(tmp_path)
    file = the_file(tmp_path)
    content = bytearray(file.read_bytes())
    content[-3] ^= 1
    file.write_bytes(content)
    assert len(opened(tmp_path)) == 0
    assert "it is damaged" in caplog.text


def test_a_file_of_another_encoder_is_noticed(tmp_path, caplog):
    filled(tmp_path)
    other = HASH[:16] + "b" * 48  # which has the same folder
    assert len(opened(tmp_path, other)) == 0
    assert "it belongs to another encoder" in caplog.text


def test_unfinished_files_of_a_killed_run_are_removed(tmp_path):
    store = filled(tmp_path)
    left = store.folder / "0002-abc.safetensors.unfinished"
    left.write_bytes(b"half of it")
    assert len(opened(tmp_path)) == 2 and not left.exists()


def test_numbers_that_half_precision_cannot_hold_are_refused(tmp_path):
    store = VectorStore(tmp_path, HASH, LAYERS, DIM)
    with store.locked(), pytest.raises(ConfigurationError, match="65,504"):
        store.add([key(1)], [vectors(1) * 1e6])


def test_a_full_disk_is_named_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(vector_store, "SPARE_BYTES", 1 << 60)
    store = VectorStore(tmp_path, HASH, LAYERS, DIM)
    with store.locked(), pytest.raises(ConfigurationError, match="not enough disk space.*NER_ZOO_VECTORS"):
        store.add([key(1)], [vectors(1)])


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="cannot be stored in .*NER_ZOO_VECTORS"):
        opened(tmp_path / "file")


def private_memory():
    """Memory in bytes, without pages that the operating system can read from a file again."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))


def test_vectors_that_are_read_take_no_memory_of_the_process(tmp_path):
    store = VectorStore(tmp_path, HASH, LAYERS, DIM)
    words = 1_000_000  # 12 MB
    with store.locked():
        for number in range(4):
            store.add([key(number)], [torch.zeros(LAYERS, words, DIM)])
    gc.collect()
    store, before = None, private_memory()
    found = opened(tmp_path)
    assert sum(float(found[key(number)].sum()) for number in range(4)) == 0
    assert found.size > 4 * 12e6
    assert private_memory() - before < 12e6


def add_missing(folder, numbers):
    store = VectorStore(folder, HASH, LAYERS, DIM)
    with store.locked():
        for number in numbers:
            if key(number) not in store:
                store.add([key(number)], [vectors(number)])


def test_processes_that_fill_a_store_at_once_compute_each_sentence_once(tmp_path):
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=add_missing, args=(tmp_path, range(start, start + 8))) for start in (0, 2, 4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    store = opened(tmp_path)
    assert len(store) == 12 and len(list(tmp_path.rglob("*.safetensors"))) == 12
    for number in range(12):
        assert_close(store[key(number)], vectors(number).half())
