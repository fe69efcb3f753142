"""
Bulk annotation: from text to JSON lines, in one process with one thread.

`bulk` is compared with AllenNLP's own predictor on the same network, 64 texts at a time; `bulk_spacy` with spaCy's NER
on its CNN, trained on the same corpus.
"""

import json
import random

from benchmarks.contest import contest
from benchmarks.demo_models import DEMO, our_archive, stock_predictor, texts
from benchmarks.throughput import Throughput, Work
from ner_zoo.bulk.sources import Chunk
from ner_zoo.bulk.worker import Worker, WorkerSettings

COPIES = 10


def ours() -> Work:
    worker = Worker(WorkerSettings(our_archive(), -1, {}))
    rows = [json.dumps({"text": text}).encode() for text in texts() * COPIES]
    return lambda: worker(Chunk(0, 0, rows, 1.0)).words


def stock(at_once: int) -> Work:
    predictor = stock_predictor()
    many = texts() * COPIES
    words = sum(len(text.split()) for text in many)

    def work() -> int:
        for start in range(0, len(many), at_once):
            inputs = [{"sentence": text} for text in many[start : start + at_once]]
            for output in predictor.predict_batch_json(inputs):
                predictor.dump_line(output)
        return words

    return work


def spacy_ner() -> Work:
    import spacy
    from spacy.training import Example

    pipeline = spacy.blank("en")
    recogniser = pipeline.add_pipe("ner")
    examples = []
    for line in (DEMO / "train.jsonl").read_text(encoding="utf-8").splitlines():
        sentence = json.loads(line)
        doc = spacy.tokens.Doc(pipeline.vocab, words=sentence["tokens"])
        spans = [doc[e["start"] : e["end"]] for e in sentence["entities"]]
        entities = [(s.start_char, s.end_char, e["type"]) for s, e in zip(spans, sentence["entities"])]
        examples.append(Example.from_dict(pipeline.make_doc(doc.text), {"entities": entities}))
        for entity in sentence["entities"]:
            recogniser.add_label(entity["type"])
    optimizer = pipeline.initialize(lambda: examples)
    for epoch in range(2):
        random.Random(epoch).shuffle(examples)
        for start in range(0, len(examples), 32):
            pipeline.update(examples[start : start + 32], sgd=optimizer)
    many = texts() * COPIES

    def work() -> int:
        words = 0
        for doc in pipeline.pipe(many, batch_size=256):
            found = [{"type": e.label_, "text": e.text, "start": e.start_char, "end": e.end_char} for e in doc.ents]
            tokens = [{"text": t.text, "start": t.idx, "end": t.idx + len(t)} for t in doc]
            json.dumps({"text": doc.text, "tokens": tokens, "entities": found})
            words += len(doc)
        return words

    return work


@contest("bulk")
def bulk() -> Throughput:
    return Throughput(ours(), stock(64), "AllenNLP's sentence_tagger, 64 texts at a time")


@contest("bulk_spacy")
def bulk_spacy() -> Throughput:
    return Throughput(ours(), spacy_ner(), "spaCy's NER on its CNN")
