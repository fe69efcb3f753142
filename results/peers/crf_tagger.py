"""
AllenNLP's `crf_tagger`, with the config `crf_tagger.jsonnet`.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ner_zoo.annotation import Sentence
from results.peers.corpus import Files, Found, vectors

CONFIG = Path(__file__).with_suffix(".jsonnet")
BETWEEN = "\u0001"


def train(files: Files, folder: Path, seed: int) -> Path:
    for split in ("train", "dev"):
        lines = map(line, files.sentences(split))
        (folder / f"{split}.txt").write_text("".join(lines), encoding="utf-8")
    words, more_words = map(str, vectors())
    settings = {"PEER_FOLDER": str(folder), "PEER_VECTORS": words, "PEER_MORE_VECTORS": more_words}
    seeds = f'{{"random_seed": {seed}, "numpy_seed": {seed}, "pytorch_seed": {seed}}}'
    command = ["allennlp", "train", str(CONFIG), "-s", str(folder / "run"), "-o", seeds]
    subprocess.run([sys.executable, "-m", *command], env=os.environ | settings, check=True)
    return folder / "run" / "model.tar.gz"


def line(sentence: Sentence) -> str:
    """One sentence in the format of `sequence_tagging`."""
    return "\t".join(f"{word}{BETWEEN}{tag}" for word, tag in zip(sentence.tokens, tags_of(sentence))) + "\n"


def tags_of(sentence: Sentence) -> list[str]:
    """BIO tags."""
    tags = ["O"] * len(sentence.tokens)
    for entity in sentence.entities:
        tags[entity.start : entity.end] = [f"B-{entity.type}"] + [f"I-{entity.type}"] * (entity.width - 1)
    return tags


class Tagger:
    def __init__(self, model: Path) -> None:
        from allennlp.models.archival import load_archive

        archive = load_archive(model)
        self.reader, self.model = archive.dataset_reader, archive.model
        self.model.eval()

    def __call__(self, sentences: Sequence[Sentence], at_once: int = 32) -> list[Found]:
        from allennlp.data.tokenizers import Token

        every = [self.reader.text_to_instance([Token(word) for word in one.tokens]) for one in sentences]
        for instance in every:
            self.reader.apply_token_indexers(instance)
        found = []
        for start in range(0, len(every), at_once):
            outputs = self.model.forward_on_instances(every[start : start + at_once])
            found += [entities(output["tags"]) for output in outputs]
        return found


def entities(tags: Sequence[str]) -> Found:
    """Reads BIO tags like AllenNLP's own metric."""
    from allennlp.data.dataset_readers.dataset_utils.span_utils import bio_tags_to_spans

    return {(start, last + 1, kind) for kind, (start, last) in bio_tags_to_spans(list(tags))}
