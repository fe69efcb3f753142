"""AllenNLP's own features on current versions, one by one; those that need a separate process are in cli_test.py."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from allennlp import commands
from allennlp.common.file_utils import TensorCache
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.dataset_readers import Conll2003DatasetReader
from allennlp.data.fields import TextField
from allennlp.data.token_indexers import PretrainedTransformerIndexer, PretrainedTransformerMismatchedIndexer
from allennlp.data.tokenizers import PretrainedTransformerTokenizer
from allennlp.modules.elmo import Elmo
from allennlp.modules.token_embedders import PretrainedTransformerEmbedder, PretrainedTransformerMismatchedEmbedder
from allennlp.modules.transformer import ActivationLayer
from allennlp.training import GradientDescentTrainer
from allennlp.training.optimizers import HuggingfaceAdamWOptimizer
from transformers import BertConfig, BertModel

ROOT = Path(__file__).parents[2]
PIECES = "[PAD] [UNK] [CLS] [SEP] [MASK] a b A the ri ##ver ##s flow ##ing down hill .".split()
WORDS = "the rivers flowing down hill . the rivers".split()


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a BERT with 17 word pieces and random weights."""
    folder = tmp_path_factory.mktemp("bert")
    (folder / "vocab.txt").write_text("\n".join(PIECES))
    settings = {"do_lower_case": False, "tokenizer_class": "BertTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=len(PIECES), max_position_embeddings=64, **sizes)).save_pretrained(folder)
    return str(folder)


def ids(*pieces: str) -> list[int]:
    return [PIECES.index(piece) for piece in pieces]


def tensors(indexer: Any, *sentences: list[str]) -> dict[str, torch.Tensor]:
    fields = [TextField([Token(word) for word in words], {"bert": indexer}) for words in sentences]
    batch = Batch([Instance({"text": field}) for field in fields])
    batch.index_instances(Vocabulary())
    return batch.as_tensor_dict()["text"]["bert"]  # type: ignore[return-value]


def test_a_pretrained_tokenizer_adds_pieces_and_special_tokens(bert: str) -> None:
    tokens = PretrainedTransformerTokenizer(bert).tokenize("the rivers flowing.")
    assert [token.text for token in tokens] == "[CLS] the ri ##ver ##s flow ##ing . [SEP]".split()
    assert [(token.idx, token.idx_end) for token in tokens[1:4]] == [(0, 3), (4, 6), (6, 9)]
    bare = PretrainedTransformerTokenizer(bert, add_special_tokens=False, max_length=3)
    assert [token.text for token in bare.tokenize("the rivers flowing.")] == "the ri ##ver".split()


def test_a_pretrained_tokenizer_pairs_sentences(bert: str) -> None:
    tokenizer = PretrainedTransformerTokenizer(bert)
    pieces, first, second = tokenizer.intra_word_tokenize_sentence_pair(["rivers"], ["down", "hill"])
    assert [piece.text for piece in pieces] == "[CLS] ri ##ver ##s [SEP] down hill [SEP]".split()
    assert (first, second) == ([(1, 3)], [(5, 5), (6, 6)])


def test_long_sentences_are_folded_with_special_tokens(bert: str) -> None:
    indexed = tensors(PretrainedTransformerMismatchedIndexer(bert, max_length=6), WORDS)
    frame = "[CLS] the ri ##ver ##s [SEP] [CLS] flow ##ing down hill [SEP] [CLS] . the ri ##ver [SEP] [CLS] ##s [SEP]"
    assert indexed["token_ids"].tolist() == [ids(*frame.split())]
    assert indexed["offsets"][0, 1].tolist() == [2, 4]


@pytest.mark.parametrize("max_length", [None, 6])
def test_words_are_embedded_whatever_they_are_padded_with(bert: str, max_length: int) -> None:
    indexer = PretrainedTransformerMismatchedIndexer(bert, max_length=max_length)
    embedder = PretrainedTransformerMismatchedEmbedder(bert, max_length=max_length, last_layer_only=False).eval()
    together = embedder(**tensors(indexer, WORDS, WORDS[:2]))
    alone = embedder(**tensors(indexer, WORDS[:2]))
    assert together.shape == (2, len(WORDS), 16)
    torch.testing.assert_close(together[1, :2], alone[0], atol=1e-5, rtol=1e-4)
    # Folded, the first segment of the long sentence is the short sentence.
    assert torch.allclose(together[0, :2], alone[0], atol=1e-5) == (max_length is not None)


def test_a_pretrained_embedder_gives_what_the_model_gives(bert: str) -> None:
    tokens = PretrainedTransformerTokenizer(bert).tokenize("the rivers flowing.")
    batch = Batch([Instance({"text": TextField(tokens, {"bert": PretrainedTransformerIndexer(bert)})})])
    batch.index_instances(Vocabulary())
    embedded = PretrainedTransformerEmbedder(bert).eval()(**batch.as_tensor_dict()["text"]["bert"])  # type: ignore
    piece_ids = torch.tensor([[token.text_id for token in tokens]])
    expected = BertModel.from_pretrained(bert).eval()(piece_ids).last_hidden_state
    torch.testing.assert_close(embedded, expected, atol=1e-5, rtol=1e-4)


def test_activation_functions_are_found_by_name() -> None:
    layer = ActivationLayer(hidden_size=2, intermediate_size=3, activation="relu")
    assert (layer(torch.randn(4, 2)) >= 0).all()


@pytest.mark.parametrize("correct_bias", [True, False])
def test_the_adamw_of_transformers_works_as_before(correct_bias: bool) -> None:
    parameter = torch.nn.Parameter(torch.tensor([1.0]))
    options = {"lr": 0.1, "eps": 0.0, "weight_decay": 0.1, "correct_bias": correct_bias}
    optimizer = HuggingfaceAdamWOptimizer([("weight", parameter)], **options)
    parameter.grad = torch.tensor([2.0])
    optimizer.step()
    # The first moments are 0.1 * 2 and 0.001 * 4: their ratio is 1 once corrected.
    step = 0.1 * (1.0 if correct_bias else 0.2 / 0.004**0.5)
    assert parameter.item() == pytest.approx((1.0 - step) * (1 - 0.1 * 0.1))


def test_a_tensor_cache_gives_back_what_it_was_given(tmp_path: Path) -> None:
    cache = TensorCache(str(tmp_path / "cache"))
    cache["a"] = torch.arange(6).view(2, 3)[:, 1:]
    del cache
    assert TensorCache(str(tmp_path / "cache"))["a"].tolist() == [[1, 2], [4, 5]]


def sparse_trainer(**options: float) -> GradientDescentTrainer:
    """A trainer used only for clipping, with a sparse gradient of (3, 4) for a word that occurs twice."""
    trainer = GradientDescentTrainer.__new__(GradientDescentTrainer)
    trainer.model = torch.nn.Embedding(5, 2, sparse=True)
    trainer._scaler = trainer._ddp_wrapped_model = None
    trainer._grad_norm, trainer._grad_clipping = options.get("norm", False), options.get("value")
    trainer.model(torch.tensor([1, 1])).mul(torch.tensor([1.5, 2.0])).sum().backward()
    return trainer


def test_sparse_gradients_are_clipped_by_their_norm() -> None:
    trainer = sparse_trainer(norm=1.0)
    assert trainer.rescale_gradients() == pytest.approx(5.0)
    torch.testing.assert_close(trainer.model.weight.grad.to_dense()[1], torch.tensor([0.6, 0.8]))


def test_sparse_gradients_are_clipped_by_their_values() -> None:
    trainer = sparse_trainer(value=3.5)
    trainer.clip_gradient()
    assert trainer.model.weight.grad.to_dense()[1].tolist() == [3.0, 3.5]


@pytest.mark.parametrize("start_method", ["fork", "spawn"])
def test_workers_load_everything_once(start_method: str, corpus: Path) -> None:
    path = str(corpus / "dev.txt")
    loader = MultiProcessDataLoader(
        Conll2003DatasetReader(), path, batch_size=3, num_workers=2, start_method=start_method, quiet=True
    )
    read = sorted(" ".join(map(str, instance["tokens"].tokens)) for instance in loader.iter_instances())
    assert read == sorted(
        " ".join(map(str, instance["tokens"].tokens)) for instance in Conll2003DatasetReader().read(path)
    )


def test_elmo_can_be_imported() -> None:
    assert Elmo.__name__ == "Elmo"


def call(monkeypatch: pytest.MonkeyPatch, *arguments: Any) -> None:
    monkeypatch.setattr("allennlp.commands.import_plugins", lambda: None)
    monkeypatch.setattr(sys, "argv", ["allennlp", *map(str, arguments)])
    commands.main(prog="allennlp")


def test_a_learning_rate_is_searched(
    stock_experiment: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(stock_experiment))
    call(monkeypatch, "find-lr", tmp_path / "config.json", "-s", tmp_path / "search", "--num-batches", 12)
    assert (tmp_path / "search" / "lr-losses.png").stat().st_size > 0


def test_results_are_printed(
    stock_run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call(monkeypatch, "print-results", stock_run.parent, "--keys", "best_validation_accuracy")
    accuracy = json.loads((stock_run / "metrics.json").read_text())["best_validation_accuracy"]
    assert f"{stock_run / 'metrics.json'}, {accuracy}" in capsys.readouterr().out


def test_nothing_is_loaded_before_allennlp_is_imported() -> None:
    code = "import sys; print([name for name in ('ner_zoo', 'allennlp', 'torch', 'typing') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("first", ["allennlp", "ner_zoo"])
def test_the_order_of_imports_does_not_matter(first: str, tmp_path: Path) -> None:
    code = f"""
import {first}
import ner_zoo, allennlp.commands
from allennlp.training import Trainer
print(Trainer.resolve_class_name("gradient_descent")[0].__module__)
"""
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert "ner_zoo.platform.resume" in finished.stdout, finished.stderr


def test_ner_zoo_needs_no_pth_file_to_be_imported(tmp_path: Path) -> None:
    packages = os.path.dirname(os.path.dirname(torch.__file__))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), packages])}
    code = "import sys; print('ner_zoo_hook' in sys.modules); import ner_zoo, allennlp.commands; print('imported')"
    # Without site, Python reads no .pth files.
    command = [sys.executable, "-S", "-c", code]
    finished = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert finished.stdout.split() == ["False", "imported"], finished.stderr
