"""A part of the bundled corpus with errors in known places, and a config that learns it in seconds."""

import json
from pathlib import Path
from typing import Any

DEMO = Path(__file__).parents[2] / "fixtures" / "demo"


def records(name: str, count: int) -> list[dict[str, Any]]:
    lines = (DEMO / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[:count]]


def lost_entities(count: int) -> set[int]:
    """The indices of the sentences that lose their first entity."""
    return set([number for number, one in enumerate(records("train", count)) if one["entities"]][::10])


def noisy_config(folder: Path, epochs: int = 6, model: str = "tagger", count: int = 120) -> dict[str, Any]:
    """Every tenth sentence with an entity has lost its first one."""
    train = records("train", count)
    for number in lost_entities(count):
        del train[number]["entities"][0]
        train[number]["relations"] = []
    for name, some in (("train", train), ("dev", records("dev", 30))):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in some), encoding="utf-8")
    view = {"tagger": "tags", "span": {"type": "spans", "candidates": {"max_width": 5}}, "joint_relation": "joint"}
    parts: dict[str, Any] = {
        "tagger": {"head": "crf"},
        "span": {"head": "softmax", "representation": {"type": "endpoints", "width_dim": 5, "max_width": 5}},
        "joint_relation": {"head": "crf", "relation_head": {"hidden_dim": 10, "filters": 4}},
    }
    return {
        "dataset_reader": {"type": "span_json", "view": view[model]},
        "train_data_path": str(folder / "train.jsonl"),
        "validation_data_path": str(folder / "dev.jsonl"),
        "model": {
            "type": model,
            "embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 24}}},
            "encoder": {"type": "lstm", "input_size": 24, "hidden_size": 24, "bidirectional": True},
            "loss": "nll",
            **parts[model],
        },
        "data_loader": {"batch_size": 4, "shuffle": True},
        "trainer": {"num_epochs": epochs, "optimizer": {"type": "adam", "lr": 0.02}, "validation_metric": "+entity_f1"},
    }
