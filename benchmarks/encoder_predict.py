"""
Prediction with a tagger on a pretrained encoder, compared with Hugging Face's token-classification pipeline on the same
encoder.

Both go from texts to entities, with one thread. The pipeline takes the texts in order, 32 at a time, padded to the
longest of each batch; ours sorts them by number of word pieces. `encoder_predict_int8` computes linear layers in 8
bits.
"""

import torch
from allennlp.data import Vocabulary

from benchmarks.contest import contest
from benchmarks.encoders import encoder_folder, reader, tagger, words
from benchmarks.throughput import Throughput, Work
from ner_zoo.predictors.ner_zoo import NerZooPredictor

BATCH, TEXTS = 32, 160
LABELS = ["O", "B-PER", "I-PER", "L-PER", "U-PER"]


def ours(precision: str) -> Work:
    embedder = {"type": "pretrained_transformer_mismatched", "model_name": encoder_folder(), "max_length": 512}
    model = tagger(embedder, "pass_through", Vocabulary(tokens_to_add={"labels": LABELS}))
    predictor = NerZooPredictor(model.eval(), reader(encoder_folder()), precision=precision)
    many = words()[:TEXTS]

    def work() -> int:
        predictor.predict_all([{"tokens": tokens} for tokens in many])
        return sum(map(len, many))

    return work


def pipeline() -> Work:
    from transformers import AutoModelForTokenClassification, AutoTokenizer
    from transformers import pipeline as pipeline_of

    model = AutoModelForTokenClassification.from_pretrained(encoder_folder(), num_labels=len(LABELS))
    # Untrained, it would predict an entity on every word, and spend its time on them.
    with torch.no_grad():
        model.classifier.bias[0] = 100.0
    model.config.id2label[0] = "O"
    tokenizer = AutoTokenizer.from_pretrained(encoder_folder())
    recogniser = pipeline_of("token-classification", model=model, tokenizer=tokenizer, aggregation_strategy="simple")
    many = words()[:TEXTS]
    texts = [" ".join(tokens) for tokens in many]

    def work() -> int:
        recogniser(texts, batch_size=BATCH)
        return sum(map(len, many))

    return work


PEER = f"Hugging Face's token-classification pipeline, {BATCH} texts at a time"


@contest("encoder_predict")
def encoder_predict() -> Throughput:
    return Throughput(ours("float"), pipeline(), PEER, rounds=2)


@contest("encoder_predict_int8")
def encoder_predict_int8() -> Throughput:
    return Throughput(ours("int8"), pipeline(), PEER, rounds=2)
