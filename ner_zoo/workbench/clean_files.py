"""
The files that `clean` writes:

    clean.html, clean.jsonl     the suspects, for reading and for processing
    tasks.TOOL.…                sentences to check, pre-annotated with the proposals, for an annotation tool
    cleaned.jsonl               the corpus with the suspects applied, as `span_json`
    changes.jsonl               every change, and what was skipped
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.analysis.files import write_lines
from ner_zoo.analysis.mentions import relation_mention
from ner_zoo.analysis.suspect_records import record_of
from ner_zoo.analysis.suspects import KINDS
from ner_zoo.bulk.tool_sink import TOOLS
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer
from ner_zoo.platform.atomic_files import replacing, write_atomically
from ner_zoo.predictors.document import DECIMALS
from ner_zoo.workbench.clean import Cleaning
from ner_zoo.workbench.clean_page import page
from ner_zoo.workbench.corrections import REPLACE, Change, corrected

MODEL = "ner_zoo clean"
ENDINGS = {"label_studio": ".json", "argilla": ".json", "doccano": ".jsonl", "prodigy": ".jsonl", "docbin": ".spacy"}


def write_suspects(cleaning: Cleaning, folder: Path, command: str) -> None:
    with replacing(folder / "clean.jsonl") as new:
        write_lines(new, cleaning.records())
    write_atomically(folder / "clean.html", page(cleaning, command))


def write_tasks(cleaning: Cleaning, folder: Path, tool: str) -> Path:
    """The sentences with suspects, most suspicious first; for brat, a folder."""
    path = folder / f"tasks.{tool}{ENDINGS.get(tool, '')}"
    if path.is_dir() and any(path.iterdir()):
        raise ConfigurationError(f"{path} already exists and may contain annotations. Move it, and repeat the command.")
    left_out = Repairs()
    Writer.by_name(TOOLS[tool])().write(_tasks(cleaning), str(path), left_out)
    left_out.report(str(path))
    return path


def _tasks(cleaning: Cleaning) -> Iterator[ScoredSentence]:
    proposed, _ = corrected(cleaning.data.sentences, cleaning.suspects, REPLACE, above=0.5)
    numbers = dict.fromkeys(one.sentence for one in cleaning.suspects)
    notes: dict[int, list[str]] = {number: [] for number in numbers}
    for record in cleaning.records():
        notes[record["sentence"]].append(note_of(record))
    for number in numbers:
        answer, sentence = cleaning.answers[number], proposed[number]
        scores = {entity: round(answer.likely.get(entity, 0.0), DECIMALS) for entity in sentence.entities}
        fields = {"source": sentence.source, "suspected": "; ".join(notes[number])}
        yield ScoredSentence(sentence, MODEL, scores, {}, fields)


def note_of(record: dict[str, Any]) -> str:
    """Describes a suspect in a few words: `type entity: ORG Oda Bay -> LOC Oda Bay (97%)`."""
    sides = [_words(record[side]) for side in ("gold", "proposal")]
    return f"{record['kind']} {record['of']}: {sides[0]} -> {sides[1]} ({record['confidence']:.0%})"


def _words(side: dict[str, Any] | None) -> str:
    if side is None:
        return "nothing"
    if "head" in side:
        return f"{side['head']['text']} {side['type']} {side['tail']['text']}"
    return f"{side['type']} {side['text']}"


def write_cleaned(
    cleaning: Cleaning, folder: Path, action: str, above: float, kinds: Collection[str] = KINDS
) -> tuple[Path, list[Change]]:
    """Writes the new corpus and the log of all changes; only suspects of these kinds are applied."""
    sentences, log = cleaning.corrected(action, above, kinds)
    path, left_out = folder / "cleaned.jsonl", Repairs()
    Writer.by_name("span_json")().write(map(ScoredSentence, sentences), str(path), left_out)
    left_out.report(str(path))
    with replacing(folder / "changes.jsonl") as new:
        write_lines(new, (_change(cleaning, one) for one in log))
    return path, log


def _change(cleaning: Cleaning, change: Change) -> dict[str, Any]:
    answer = cleaning.answers[change.suspect.sentence]
    record = record_of(change.suspect, answer)
    lost = [relation_mention(answer.sentence, one) for one in change.lost]
    return {"action": change.action, "outcome": change.outcome, **record, **({"lost_relations": lost} if lost else {})}
