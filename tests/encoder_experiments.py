"""Small experiments with the tiny encoder of the fixtures, built from config parts."""

import json
from typing import Any

from allennlp.common.params import evaluate_snippet

ENCODER = "fixtures/tiny_encoder"
LONG = ("harbour", "Gutenberg", "the", "17", "running") * 12
# Neither has a word piece.
NOTHING = (" ", "\u200b")

TAGGER = "use.demo + use.scheme('BIO') + use.tagger + use.crf + use.nll + use.bilstm(6)"
JOINT = "use.conll04 + use.joint_relation() + use.crf + use.nll + use.bilstm(6)"
SPAN = "use.demo + use.span() + use.nll + use.bilstm(6)"


def experiment(parts: str, data: object = "fixtures", system: str = TAGGER, epochs: int = 1) -> dict[str, Any]:
    libraries = "local experiment = import 'ner_zoo/experiment.libsonnet';"
    libraries += "local use = import 'ner_zoo/use.libsonnet';"
    end = f"{{ dataset_reader+: {{ max_instances: 12 }}, trainer+: {{ num_epochs: {epochs} }} }}"
    text = evaluate_snippet(
        "test", f"{libraries} experiment + {system} + {parts} + {end}", ext_vars={"NER_ZOO_DATA": str(data)}
    )
    return json.loads(text)
