"""The HTTP interface on a real socket, with trained models."""

import json
import logging
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from ner_zoo.service.limits import Limits
from ner_zoo.service.monitoring import JsonFormatter
from ner_zoo.service.served_model import ServedModel
from ner_zoo.service.service import Service
from tests.service.live_server import running

TEXT = "Edda Abernathy of Meridian Systems lives in Port Ellery."


def post(address: str, content: Any, path: str = "/predict", **options: Any) -> httpx.Response:
    body = content if isinstance(content, (bytes, str)) else json.dumps(content)
    return httpx.post(address + path, content=body, timeout=30, **options)


def test_one_object_gets_one_prediction(address: str, joint: ServedModel) -> None:
    for body in ({"text": TEXT}, {"sentence": TEXT}):
        answer = post(address, body)
        assert answer.status_code == 200
        assert answer.json() == joint.predictor.predict_json({"text": TEXT})
    assert post(address, {"tokens": ["Edda", "sings"]}).json()["text"] == "Edda sings"


def test_inputs_get_outputs_in_order(address: str) -> None:
    answer = post(address, {"inputs": [{"text": TEXT}, {"tokens": ["a"]}, {"sentence": ""}], "threshold": 0.9})
    assert [output["text"] for output in answer.json()["outputs"]] == [TEXT, "a", ""]
    assert post(address, {"inputs": []}).json() == {"outputs": []}


def test_options_are_applied(address: str) -> None:
    assert post(address, {"text": TEXT, "threshold": 1.0}).json()["entities"] == []
    assert len(post(address, {"text": TEXT, "top_k": 3, "model": "ner"}).json()["taggings"]) == 3


def test_given_entities_get_relations_between_them(address: str, joint: ServedModel) -> None:
    edda, ellery = {"type": "PER", "start": 0, "end": 14}, {"type": "LOC", "start": 44.0, "end": 55}
    answer = post(address, {"text": TEXT, "entities": [ellery, edda]})
    assert answer.status_code == 200
    assert answer.json() == joint.predictor.predict_json({"text": TEXT, "entities": [[0, 14, "PER"], [44, 55, "LOC"]]})
    again = post(address, {"text": TEXT, "entities": post(address, {"text": TEXT}).json()["entities"]}).json()
    assert again["relations"] and all(one["score"] == 1.0 for one in again["entities"])
    tokens = {"tokens": ["Edda", "sings"], "entities": [{"type": "PER", "start": 0, "end": 1}]}
    cut = {"text": TEXT, "entities": [{"type": "PER", "start": 0, "end": 6}]}
    first, second, third = post(address, {"inputs": [tokens, cut, {"text": TEXT}]}).json()["outputs"]
    assert [one["text"] for one in first["entities"]] == ["Edda"] and third["entities"]
    assert list(second) == ["error"] and "Entity 0 of the input, 'Edda A'" in second["error"]


def test_entities_that_cannot_be_used_are_refused(address: str) -> None:
    edda = {"type": "PER", "start": 0, "end": 14}
    refused = post(address, {"text": TEXT, "entities": [edda], "model": "ner"})
    assert refused.status_code == 422 and "does not predict relations" in refused.json()["error"]
    for wrong in ({"entities": [edda], "top_k": 2}, {"entities": [{**edda, "end": 6}]}, {"entities": [{"start": 0}]}):
        assert post(address, {"text": TEXT, **wrong}).status_code == 422


def test_models_are_chosen_by_name(address: str) -> None:
    assert post(address, {"text": TEXT}).json()["relations"]
    assert post(address, {"text": TEXT, "model": "ner"}).json()["relations"] == []
    assert post(address, {"text": TEXT, "model": "no"}).status_code == 404
    assert httpx.get(address + "/models").json() == {"models": [{"name": "re"}, {"name": "ner"}]}


WRONG = {
    "nothing": (b"", 400),
    "no JSON": (b"Hello", 400),
    "binary": (bytes(range(256)), 400),
    "half a surrogate pair": (b'{"text": "\\ud800"}', 422),
    "half a surrogate pair before a letter": (b'{"text": "a\\ud800b"}', 422),
    "the other half": (b'{"text": "\\udc00 a"}', 422),
    "two first halves": (b'{"tokens": ["\\ud800\\ud800"]}', 422),
    "half a surrogate pair in a name": (b'{"text": "a", "model": "\\ud800"}', 422),
    "half a surrogate pair in UTF-8": (b'{"text": "\xed\xa0\x80"}', 422),
    "deeply nested": (b'{"text": ' + b"[" * 90_000, 400),
    "nested and closed": (b'{"text": ' + b"[" * 40_000 + b"]" * 40_000 + b"}", 400),
    "no number": (b'{"text": "a", "threshold": NaN}', 400),
    "a list": (b"[]", 422),
    "null": (b"null", 422),
    "empty": (b"{}", 422),
    "wrong type": (b'{"text": 5}', 422),
    "number in quotes": (b'{"text": "a", "threshold": "0.5"}', 422),
    "two texts": (b'{"text": "a", "sentence": "b"}', 422),
    "unknown key": (b'{"text": "a", "treshold": 0.5}', 422),
    "threshold above 1": (b'{"text": "a", "threshold": 1.5}', 422),
    "too many taggings": (b'{"text": "a", "top_k": 1000000}', 422),
    "tokens no list": (b'{"tokens": "a b"}', 422),
    "empty token": (b'{"tokens": ["a", ""]}', 422),
    "nested inputs": (b'{"inputs": [{"inputs": []}]}', 422),
    "too many inputs": (json.dumps({"inputs": [{"text": "a"}] * 9}).encode(), 422),
    "too long": (json.dumps({"text": "a" * 20_001}).encode(), 413),
    "too large": (b'{"text": "' + b"a" * 300_000 + b'"}', 413),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_in_a_body_are_reported_and_never_a_failure_of_the_service(address: str, name: str) -> None:
    body, status = WRONG[name]
    answer = post(address, body)
    assert answer.status_code == status and answer.json()["error"]


def test_a_body_without_a_length_is_limited_as_well(address: str) -> None:
    def endless():
        for _ in range(300):
            yield b"a" * 1000

    assert httpx.post(address + "/predict", content=endless(), timeout=30).status_code == 413


def test_unknown_paths_and_methods_are_reported_as_json(address: str) -> None:
    assert httpx.get(address + "/nothing").json() == {"error": "Not Found"}
    answer = httpx.get(address + "/predict")
    assert answer.status_code == 405 and answer.headers["allow"] == "POST"
    assert httpx.get(address + "/static/../app.py").status_code == 404


def test_health_and_metrics_are_reported(address: str) -> None:
    post(address, {"text": TEXT})
    health = httpx.get(address + "/healthz")
    assert health.status_code == 200 and health.json() == {"status": "ok", "ready": True, "models": ["re", "ner"]}
    assert httpx.get(address + "/readyz").status_code == 200
    metrics = httpx.get(address + "/metrics").text
    assert 'ner_zoo_requests_total{method="POST",route="/predict",status="200"}' in metrics
    assert 'ner_zoo_batch_inputs_count{model="re"}' in metrics


def test_pages_need_nothing_from_elsewhere(address: str) -> None:
    for path in ("/", "/docs", "/model"):
        answer = httpx.get(address + path)
        assert answer.status_code == 200 and "script-src 'self'" in answer.headers["content-security-policy"]
        for place in ('src="http', "src='http", 'src="//', '<link href="http', "@import"):
            assert place not in answer.text
    assert "/predict" in httpx.get(address + "/docs").text
    assert httpx.get(address + "/openapi.json").json()["paths"]["/predict"]["post"]["requestBody"]


def test_examples_can_be_pasted(address: str, tagger: ServedModel) -> None:
    assert f"curl -s {address}/predict -H" in httpx.get(address + "/docs").text
    page = httpx.get(address + "/docs", headers={"Host": "ner.example:81"}).text
    assert "curl -s http://ner.example:81/predict" in page
    odd = httpx.get(address + "/docs", headers={"Host": "$(reboot)"}).text
    assert "reboot" not in odd and f"curl -s {address}/predict" in odd
    with running(Service({"ner": tagger}, Limits(drain=0), token="open sesame")) as other:
        page = httpx.get(other + "/docs").text
        assert "Authorization: Bearer $NER_ZOO_TOKEN" in page and "open sesame" not in page


def test_the_model_card_is_shown(address: str) -> None:
    assert "<h1>Model card: demo_joint</h1>" in httpx.get(address + "/model").text
    named = httpx.get(address + "/model?name=ner", headers={"Accept": "text/markdown"})
    assert named.text.startswith("# Model card: demo_tagger")
    assert httpx.get(address + "/model?name=no").status_code == 404


def test_predictions_are_rendered(address: str) -> None:
    prediction = post(address, {"text": "<b>" + TEXT}).json()
    fragment = post(address, prediction, "/render/fragment")
    assert fragment.text.startswith("<figure") and "&lt;b&gt;" in fragment.text and "<b>Edda" not in fragment.text
    assert "attachment" in post(address, prediction, "/render/html").headers["content-disposition"]
    assert "Abernathy\tI-PER\n" in post(address, prediction, "/render/conll").text
    outside = {"text": "a", "tokens": [], "entities": [{**prediction["entities"][0], "fragments": [[-3, 5], [7, 9]]}]}
    refused = post(address, outside, "/render/fragment")
    assert refused.status_code == 422 and "entities.0 has the fragment [-3, 5], but the text has 1" in refused.text
    refused = post(address, {**prediction, "entities": []}, "/render/fragment")
    assert refused.status_code == 422 and "relations.0 is between the entities" in refused.text
    assert post(address, {"text": "a"}, "/render/fragment").status_code == 422


def test_other_origins_are_blocked_unless_they_are_named(address: str, tagger: ServedModel) -> None:
    asking = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    assert "access-control-allow-origin" not in httpx.options(address + "/predict", headers=asking).headers
    with running(Service({"ner": tagger}, Limits(drain=0), origins=["https://a.example"])) as other:
        allowed = httpx.options(other + "/predict", headers=asking).headers
        assert allowed["access-control-allow-origin"] == "https://a.example"
        refused = httpx.options(other + "/predict", headers={**asking, "Origin": "https://b.example"})
        assert "access-control-allow-origin" not in refused.headers


def test_pages_of_other_origins_can_read_why_they_were_refused(tagger: ServedModel) -> None:
    limits = Limits(max_inputs=1, max_queue=1, max_batch=1, drain=0)
    headers = {"Origin": "https://a.example"}
    with running(Service({"ner": tagger}, limits, "open sesame", ["https://a.example"])) as address:
        refused = post(address, {"text": TEXT}, headers=headers)
        assert refused.status_code == 401
        assert refused.headers["access-control-allow-origin"] == "https://a.example"
        asking = {**headers, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
        assert httpx.options(address + "/predict", headers=asking).status_code == 200
        headers["Authorization"] = "Bearer open sesame"
        with ThreadPoolExecutor(12) as threads:
            answers = list(threads.map(lambda _: post(address, {"text": TEXT * 20}, headers=headers), range(36)))
        full = [answer for answer in answers if answer.status_code == 429]
        assert full and {answer.status_code for answer in answers} == {200, 429}
        for answer in full:
            assert answer.headers["access-control-allow-origin"] == "https://a.example"
            assert "Retry-After" in answer.headers["access-control-expose-headers"]


def test_a_host_that_is_not_allowed_is_refused(tagger: ServedModel) -> None:
    service = Service({"ner": tagger}, Limits(drain=0), hosts=["ner.example", "[::1]"])
    with running(service) as address:
        for host, status in {
            "ner.example": 200,
            "NER.example:8000": 200,
            "[::1]:8000": 200,
            "evil.example": 421,
            "ner.example.evil.example": 421,
            "127.0.0.1": 421,
        }.items():
            answer = post(address, {"text": TEXT}, headers={"Host": host})
            assert answer.status_code == status
            assert status == 200 or "--allowed-host" in answer.json()["error"]
        assert httpx.get(address + "/healthz").status_code == 200


def test_a_token_is_required(tagger: ServedModel) -> None:
    with running(Service({"ner": tagger}, Limits(drain=0), token="open sesame")) as address:
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "open sesame"}):
            answer = post(address, {"text": TEXT}, headers=headers)
            assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"
        assert httpx.get(address + "/metrics").status_code == 401
        assert post(address, {"text": TEXT}, headers={"Authorization": "Bearer open sesame"}).status_code == 200
        assert httpx.get(address + "/healthz").status_code == httpx.get(address + "/").status_code == 200


def test_logs_are_json_and_hold_no_text(address: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="ner_zoo.service"):
        post(address, {"text": "Quillfeather secret"}, headers={"X-Request-ID": "abc-1"})
        post(address, b'{"text": "Quillfeather secret", "x": 1}')
    lines = [JsonFormatter().format(record) for record in caplog.records]
    assert not any("Quillfeather" in line for line in lines)
    notes = [json.loads(line) for line in lines if json.loads(line)["event"] == "request"]
    assert [note["status"] for note in notes] == [200, 422]
    assert notes[0]["request"] == "abc-1" and notes[0]["inputs"] == 1 and notes[0]["milliseconds"] > 0


def test_an_error_is_logged_without_its_message() -> None:
    try:
        raise ValueError("Quillfeather secret")
    except ValueError:
        record = logging.getLogger("x").makeRecord(
            "x", logging.ERROR, __file__, 1, "failure", (), __import__("sys").exc_info()
        )
    line = JsonFormatter().format(record)
    assert json.loads(line)["error"] == "ValueError" and "Quillfeather" not in line


def test_bytes_that_are_not_http_get_400(address: str) -> None:
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(b"\x00\x01\x02 nonsense\r\n\r\n")
        assert b" 400 " in connection.recv(200)
