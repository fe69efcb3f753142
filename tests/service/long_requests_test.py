"""Long texts, large answers and concurrent small requests, on a real socket."""

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from pytest import approx

from ner_zoo.service.limits import Limits
from ner_zoo.service.served_model import ServedModel
from ner_zoo.service.service import Service
from tests.service.live_server import running
from tests.trained_models import demo_texts

LIMITS = Limits(
    max_text_characters=60_000,
    max_request_characters=80_000,
    max_request_tokens=15_000,
    max_output_bytes=2_000_000,
    turn_tokens=128,
    drain=0.1,
)
LONG = " ".join(demo_texts() * 40)[:50_000]


@pytest.fixture(scope="module")
def fair(joint: ServedModel, tagger: ServedModel) -> Iterator[str]:
    with running(Service({"re": joint, "ner": tagger}, LIMITS)) as address:
        yield address


def post(address: str, content: Any, path: str = "/predict") -> httpx.Response:
    return httpx.post(address + path, content=json.dumps(content), timeout=60)


def same(found: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Whether two predictions are equal; the last digits of scores depend on the batch."""
    for kind in ("entities", "relations"):
        pairs = list(zip(found[kind], expected[kind]))
        assert len(found[kind]) == len(expected[kind])
        assert [one.pop("score") for one, _ in pairs] == approx([one.pop("score") for _, one in pairs], abs=1e-4)
    return found == expected


def test_small_requests_do_not_wait_for_a_long_text(
    fair: str, joint: ServedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    has_begun = threading.Event()
    read = joint.predictor.read

    def slow(pieces: Any, top_k: int = 0) -> Any:
        """A model for which the long text takes seconds, on any machine."""
        if sum(len(piece.tokens) for piece in pieces) > 64:
            has_begun.set()
            time.sleep(0.04)
        return read(pieces, top_k)

    def ask_long() -> None:
        assert post(fair, {"text": LONG}).status_code == 200
        order.append("long")

    monkeypatch.setattr(joint.predictor, "read", slow)
    thread = threading.Thread(target=ask_long)
    thread.start()
    assert has_begun.wait(60)
    for _ in range(5):
        assert post(fair, {"text": "Edda Abernathy lives in Port Ellery."}).status_code == 200
        order.append("small")
    thread.join()
    assert order == ["small"] * 5 + ["long"], "the small requests had to wait for the long one"


@pytest.mark.parametrize("name", ["re", "ner"])
def test_a_long_text_gets_the_prediction_that_it_gets_at_once(
    fair: str, joint: ServedModel, tagger: ServedModel, name: str
) -> None:
    predictor = {"re": joint, "ner": tagger}[name].predictor
    text = LONG[:8000]
    found = post(fair, {"text": text, "model": name}).json()
    assert same(found, predictor.predict_json({"text": text}))
    tokens = text.replace(".", "").split()
    assert len(tokens) > 1024
    found = post(fair, {"tokens": tokens, "model": name}).json()
    assert same(found, predictor.predict_json({"tokens": tokens}))


def test_inputs_of_any_length_keep_their_order(fair: str) -> None:
    inputs = [{"text": LONG[:4000]}, {"text": ""}, {"tokens": []}, {"text": "Edda Abernathy."}, {"text": LONG[:3000]}]
    outputs = post(fair, {"inputs": inputs}).json()["outputs"]
    assert [output["text"] for output in outputs] == [LONG[:4000], "", "", "Edda Abernathy.", LONG[:3000]]


def test_a_text_at_which_the_model_fails_does_not_disturb_others(
    fair: str, joint: ServedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = joint.predictor.read

    def failing(pieces: Any, top_k: int = 0) -> Any:
        if any("crash" in piece.tokens for piece in pieces):
            raise RuntimeError("no")
        return read(pieces, top_k)

    monkeypatch.setattr(joint.predictor, "read", failing)
    statuses: dict[str, list[int]] = {"sings": [], "crash": []}

    def ask(word: str) -> None:
        statuses[word].append(post(fair, {"text": f"Edda Abernathy {word} ."}).status_code)

    threads = [threading.Thread(target=ask, args=(word,)) for word in statuses for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == {"sings": [200] * 8, "crash": [422] * 8}
    outputs = post(fair, {"inputs": [{"text": "crash"}, {"text": "Edda sings."}]}).json()["outputs"]
    assert outputs[0] == {"error": "RuntimeError: no"} and outputs[1]["tokens"]


LARGE = {
    "a text": ({"text": "a " * 30_001}, "characters"),
    "texts together": ({"inputs": [{"text": "a" * 30_000}] * 3}, "characters together"),
    "tokens": ({"tokens": ["a"] * 15_001}, "tokens"),
    "tokens of a text without spaces": ({"text": "。" * 15_001}, "tokens"),
    "taggings": ({"text": "a " * 1_000, "top_k": 20, "model": "ner"}, "20 taggings"),
}


@pytest.mark.parametrize("name", LARGE)
def test_requests_above_a_limit_are_refused_with_the_limit(fair: str, name: str) -> None:
    content, word = LARGE[name]
    answer = post(fair, content)
    assert answer.status_code == 413 and word in answer.json()["error"]


def test_an_answer_that_is_too_large_is_refused(tagger: ServedModel) -> None:
    with running(Service({"ner": tagger}, Limits(max_output_bytes=20_000, drain=0.1))) as address:
        answer = post(address, {"text": LONG[:20_000]})
        assert answer.status_code == 413 and "20000 bytes" in answer.json()["error"]
        assert post(address, {"text": LONG[:200]}).status_code == 200


def entity(start: int, end: int, type: str = "PER", text: str = "") -> dict[str, Any]:
    return {"type": type, "text": text, "fragments": [[start, end]], "start": start, "end": end, "score": 0.5}


def tokens(count: int) -> list[dict[str, Any]]:
    return [{"text": "a", "start": 2 * number, "end": 2 * number + 1} for number in range(count)]


BOMBS: dict[str, dict[str, Any]] = {
    "entities in entities": {
        "text": "a " * 2000,
        "tokens": tokens(2000),
        "entities": [entity(number, 4000 - number) for number in range(2000)],
    },
    "long names of types": {
        "text": "a " * 500,
        "tokens": tokens(500),
        "entities": [entity(2 * number, 2 * number + 1, "T" * 1500) for number in range(300)]
        + [entity(0, 1000, "T" * 200_000)],
    },
    "long names in relations": {
        "text": "a",
        "tokens": tokens(1),
        "entities": [entity(0, 1, text="x" * 300_000)],
        "relations": [{"type": "r", "head": 0, "tail": 0, "score": 0.5}] * 2000,
    },
    "one entity of many fragments": {
        "text": "a" * 1000,
        "tokens": [],
        "entities": [{**entity(0, 1), "fragments": [[0, 1000]] * 40_000}],
    },
    "a long text": {"text": "a" * 60_001, "tokens": [], "entities": []},
}


@pytest.mark.parametrize("format", ["html", "fragment", "conll"])
@pytest.mark.parametrize("name", BOMBS)
def test_a_small_body_does_not_become_a_huge_output(fair: str, name: str, format: str) -> None:
    start = time.monotonic()
    answer = post(fair, BOMBS[name], f"/render/{format}")
    assert (answer.status_code == 413 and "larger" in answer.json()["error"]) or name == "a long text"
    assert time.monotonic() - start < 5


def test_rendering_waits_in_the_queue_and_is_refused_when_it_is_full(tagger: ServedModel) -> None:
    service = Service({"ner": tagger}, Limits(max_inputs=1, max_queue=1, max_batch=1, drain=0.1))
    prediction = tagger.predictor.predict_json({"text": LONG[:20_000]})
    statuses: list[int] = []

    def ask(address: str) -> None:
        statuses.append(post(address, prediction, "/render/html").status_code)

    with running(service) as address:
        threads = [threading.Thread(target=ask, args=(address,)) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(statuses) == {200, 429}
        assert post(address, {"text": "Edda."}).status_code == 200
