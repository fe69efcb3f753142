from typing import Any

import pytest
import torch
from allennlp.commands import train

from ner_zoo.platform import threads
from ner_zoo.platform.threads import threads_for

LSTM = {"model": {"type": "tagger", "encoder": {"type": "lstm"}}}
TRANSFORMER = {"model": {"embedder": {"token_embedders": {"bert": {"type": "pretrained_transformer_mismatched"}}}}}


@pytest.fixture(autouse=True)
def four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "cores", lambda: 4)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)


def test_a_run_has_one_thread_unless_it_has_an_encoder_or_more_are_requested(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [threads_for([LSTM], jobs) for jobs in (1, 2)] == [1, 1]
    assert [threads_for([LSTM, TRANSFORMER], jobs) for jobs in (1, 2, 100)] == [4, 2, 1]
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert [threads_for([config], jobs) for config in (LSTM, TRANSFORMER) for jobs in (1, 2)] == [3, 2, 3, 2]
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert threads_for([TRANSFORMER]) == 1


def test_training_has_few_threads_and_leaves_the_number_as_it_was(
    stock_experiment: dict[str, Any], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(train, "_train_worker", lambda **_: seen.append(torch.get_num_threads()))
    monkeypatch.setattr(train, "archive_model", lambda *_, **__: "")
    before = torch.get_num_threads()
    try:
        for number in (4, 2):
            torch.set_num_threads(number)
            train.train_model(train.Params(stock_experiment.copy()), str(tmp_path / str(number)))
            assert torch.get_num_threads() == number
    finally:
        torch.set_num_threads(before)
    assert seen == [1, 2]
