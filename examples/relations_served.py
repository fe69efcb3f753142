"""
Train on relations in a Label Studio export, and serve the model over HTTP.

    python examples/relations_served.py [FOLDER]
"""

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import Any

from steps import DEMO, allennlp, folder, write_config

EXPERIMENT = """
experiment + use.corpus('label_studio', '{place}/export.json', '{place}/dev.json')
+ use.joint_relation() + use.learned_words(50) + use.characters() + use.bilstm(50) + use.crf + use.nll
+ {{ trainer+: {{ num_epochs: 4, patience: null, optimizer+: {{ lr: 0.005 }} }} }}
"""
TEXT = "The Nova Max, built by Keystone Systems, sold out within hours."


def main() -> None:
    place = folder()
    # Replace these two files with your own export.
    allennlp("convert", DEMO / "train.jsonl", "--to", "label_studio", "-o", place / "export.json")
    allennlp("convert", DEMO / "dev.jsonl", "--to", "label_studio", "-o", place / "dev.json")
    config = write_config(place / "joint.jsonnet", EXPERIMENT.format(place=place))
    allennlp("train", config, "-s", place / "run", "--force")
    port = free_port()
    words = [sys.executable, "-m", "allennlp", "serve", str(place / "run" / "model.tar.gz"), "--port", str(port)]
    with (place / "service.log").open("w") as log, subprocess.Popen(words, stdout=log, stderr=log) as service:
        try:
            show(ask(f"http://127.0.0.1:{port}/predict", {"text": TEXT}, service))
        finally:
            service.terminate()


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return opened.getsockname()[1]


def ask(address: str, body: dict[str, Any], service: subprocess.Popen, seconds: float = 120) -> dict[str, Any]:
    """The response of the service; waits until it is ready."""
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                return json.load(answer)
        except (urllib.error.URLError, ConnectionError):
            if service.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.3)


def show(answer: dict[str, Any]) -> None:
    entities = answer["entities"]
    print()
    for entity in entities:
        print(f"{entity['type']:>6}  {entity['text']}  {entity['score']:.2f}")
    for relation in answer["relations"]:
        head, tail = (entities[relation[end]]["text"] for end in ("head", "tail"))
        print(f"{head} --{relation['type']}--> {tail}  {relation['score']:.2f}")


if __name__ == "__main__":
    main()
