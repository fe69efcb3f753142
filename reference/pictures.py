"""
Pictures of the code: its packages, layer by layer, and the path of a sentence from a file to predictions.

The layers are those that tests/architecture_test.py checks.
"""

from dataclasses import dataclass

from reference.svg import GREY, arrow, box, picture, text
from tests.architecture_test import LAYERS

COLOURS = {"interface": "#cfe0f5", "use": "#d8ecd5", "learn": "#f6dfc9", "data": "#e6dcf3", "base": "#dcdfe4"}


@dataclass(frozen=True)
class Package:
    """group : a key of COLOURS; packages of a group have one colour."""

    group: str
    does: str


PACKAGES = {
    "commands": Package("interface", "allennlp subcommands"),
    "spacy_component": Package("interface", "spaCy pipelines"),
    "in_memory": Package("interface", "training from Python"),
    "workbench": Package("interface", "clean, suggest and extend labels"),
    "service": Package("interface", "HTTP and the page"),
    "bulk": Package("interface", "large collections"),
    "experiments": Package("interface", "configs × seeds"),
    "api": Package("interface", "load a model"),
    "exporting": Package("interface", "models to files"),
    "analysis": Package("use", "errors, calibration, reports"),
    "light": Package("use", "exported models without torch"),
    "annotator": Package("use", "a model as a function of texts"),
    "spacy_doc": Package("use", "predictions as spaCy docs"),
    "predictors": Package("use", "text to predictions"),
    "training": Package("learn", "trainer callbacks of the papers"),
    "models": Package("learn", "tagger, span, joint_relation"),
    "losses": Package("learn", "objectives"),
    "modules": Package("learn", "encoders and heads"),
    "metrics": Package("learn", "F1"),
    "pretraining": Package("learn", "GloVe"),
    "labels": Package("data", "structures back to annotations"),
    "data": Package("data", "files to sentences to tensors, and back to files"),
    "structures": Package("base", "distributions over labellings"),
    "annotation": Package("base", "Entity, Relation, Sentence"),
    "example": Package("base", "one annotated text"),
    "rendering": Package("base", "HTML and plots"),
    "platform": Package("base", "everything that is changed in AllenNLP"),
}


def packages() -> str:
    """A row of boxes for each layer; a package may import from the rows below its own."""
    width, height, gap, left = 760, 50, 8, 28
    shapes = [arrow((12, 10), (12, len(LAYERS) * (height + gap) - 12))]
    for row, names in enumerate(LAYERS):
        ordered = [name for name in PACKAGES if name in names]
        each = (width - left - gap * (len(ordered) - 1)) / len(ordered)
        for column, name in enumerate(ordered):
            x, y = left + column * (each + gap), row * (height + gap)
            middle = x + each / 2
            shapes.append(box(x, y, each, height, COLOURS[PACKAGES[name].group]))
            shapes.append(text(middle, y + 21, name, 15, bold=True))
            shapes.append(text(middle, y + 39, PACKAGES[name].does, 12))
    title = "The packages of ner_zoo in layers. Each package imports only from the layers below it."
    return picture(width, len(LAYERS) * (height + gap), title, shapes)


@dataclass(frozen=True)
class Step:
    """What a part, found at `path` below ner_zoo, makes of the thing before it."""

    part: str
    path: str
    makes: str


STEPS = (
    Step("corpus", "data/corpora", "Sentence"),
    Step("view", "data/views", "Instance"),
    Step("embedder and encoder", "modules", "vectors"),
    Step("head", "modules/head.py", "Structure"),
    Step("labels", "labels", "entities and relations with probabilities"),
)
LOSS = Step("loss", "losses", "training")
OUTPUTS = {
    "F1": "metrics",
    "JSON": "predictors",
    "page": "service",
    "report": "analysis",
    "formats": "data/writers",
}


def sentence() -> str:
    """From a file at the top to what users see at the bottom; training branches off at the structure."""
    width, step, tall, middle = 560, 92, 38, 200
    shapes = [*thing(middle, 0, tall, "file", "data")]
    for number, one in enumerate(STEPS, 1):
        y = number * step
        group = "learn" if one.makes in ("vectors", "Structure") else "data"
        shapes.append(arrow((middle, y - step + tall), (middle, y - 3)))
        shapes.append(text(middle + 14, y - 33, one.part, 14, GREY, "start", bold=True))
        shapes.append(text(middle + 14, y - 16, f"ner_zoo/{one.path}", 12, GREY, "start"))
        shapes += thing(middle, y, tall, one.makes, group)
    shapes += branch(middle, 4 * step, tall)
    y = len(STEPS) * step
    for number, name in enumerate(OUTPUTS):
        x = 54 + number * 113
        shapes.append(arrow((middle, y + tall), (middle, y + tall + 16), (x, y + tall + 16), (x, y + step - 25)))
        shapes += thing(x, y + step - 22, tall, name, "use", 100)
    return picture(width, y + step + 20, "The path of a sentence from a file to predictions.", shapes)


def thing(middle: float, y: float, tall: float, words: str, group: str, width: float = 0) -> list[str]:
    wide = width or max(120, 8 * len(words) + 24)
    return [box(middle - wide / 2, y, wide, tall, COLOURS[group], 19), text(middle, y + 24, words, 14, bold=True)]


def branch(middle: float, y: float, tall: float) -> list[str]:
    """From the structure to the right: the loss."""
    shapes = [arrow((middle + 60, y + tall / 2), (middle + 197, y + tall / 2))]
    shapes.append(text(middle + 126, y + 12, LOSS.part, 14, GREY, bold=True))
    shapes.append(text(middle + 126, y + 36, f"ner_zoo/{LOSS.path}", 12, GREY))
    return [*shapes, *thing(middle + 260, y, tall, LOSS.makes, "learn")]


def pictures() -> dict[str, str]:
    """By file name."""
    return {"packages.svg": packages(), "sentence.svg": sentence()}
