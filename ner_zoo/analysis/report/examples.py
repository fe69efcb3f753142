"""Filterable lists of examples: possible annotation errors, model errors, and differences between two models."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from more_itertools import interleave_longest

from ner_zoo.analysis.report.versus import versus, whole
from ner_zoo.rendering.marks import attribute

# The report of a large corpus must still open quickly.
MOST_ERRORS, MOST_NOISE, MOST_RIVALS = 400, 200, 60

Example = Mapping[str, Any]
Colours = Mapping[str, int]


def filtered(name: str, items: Sequence[str], choices: Mapping[str, Sequence[str]], note: str = "") -> str:
    """A list with one filter per property, whose values are in the items' `data-…`, and a text search."""
    if not items:
        return '<p class="none">None.</p>'
    selects = "".join(_select(name, key, values) for key, values in choices.items() if len(values) > 1)
    return (
        f'<div class="filtered" id="{name}"><div class="filters">{selects}'
        f'<label>Words <input type="search" data-search></label>'
        f'<output aria-live="polite"></output></div>'
        f"{f'<p class=note>{attribute(note)}</p>' if note else ''}"
        f'<ol class="examples">{"".join(items)}</ol><button type="button" class="more" hidden>Show more</button></div>'
    )


def _select(name: str, key: str, values: Sequence[str]) -> str:
    options = "".join(f'<option value="{attribute(value)}">{attribute(value)}</option>' for value in values)
    label = key.capitalize()
    return f'<label>{label} <select data-key="{key}"><option value="">all</option>{options}</select></label>'


def _item(head: str, body: str, source: str, kind: str, types: Iterable[str]) -> str:
    """One example. Types may contain any text, so they are joined by a character that none contains."""
    listed = attribute("\n".join(["", *sorted(set(types)), ""]))
    return (
        f'<li data-class="{attribute(kind)}" data-type="{listed}"><div class="head">{head}'
        f'<span class="source">{attribute(source)}</span></div>{body}</li>'
    )


def suspect_list(suspects: Sequence[Example], colours: Colours, file: str, most: int = MOST_NOISE) -> str:
    """Possible annotation errors, gold compared with the proposal; all of them are in `file`."""
    shown = suspects[:most]
    items = []
    for one in shown:
        gold, proposal = one["gold"], one["proposal"]
        head = (
            f"{_badge(one['kind'], named_kind(one))}<span>confidence <strong>{_percent(one['confidence'])}</strong>: "
            f"gold {_percent(one['gold_probability'])}, model {_percent(one['proposal_probability'])}; error in "
            f"this sentence {_percent(one['sentence_error_probability'])}</span>"
        )
        sides = {"gold": _mentions(gold), "model": _mentions(proposal)}
        body = versus(one["text"], sides, colours) + _relation_types(gold, proposal)
        items.append(_item(head, body, one["source"], named_kind(one), named_types(one)))
    note = _note(len(shown), len(suspects), "candidates, most suspicious first", file)
    kinds = sorted({named_kind(one) for one in shown})
    types = sorted({type for one in shown for type in named_types(one)})
    return filtered("noise-list", items, {"class": kinds, "type": types}, note)


def named_kind(one: Example) -> str:
    """`missing entity`, `type of relation`, …"""
    return f"{one['kind']} {'of ' if one['kind'] in ('type', 'boundary') else ''}{one['of']}"


def named_types(one: Example) -> list[str]:
    """The types of gold and of the proposal or prediction."""
    return [side["type"] for side in (one["gold"], one.get("proposal"), one.get("predicted")) if side]


def error_list(name: str, examples: Sequence[Example], colours: Colours) -> str:
    shown = spread(examples, MOST_ERRORS)
    items = []
    for one in shown:
        gold, predicted = one["gold"], one["predicted"]
        scores = [f"probability of gold {_percent(gold['score'])}"] if gold and "score" in gold else []
        scores += [f"of the prediction {_percent(predicted['score'])}"] if predicted and "score" in predicted else []
        head = f"{_badge(one['class'])}<span>{', '.join(scores)}</span>"
        sides = {"gold": _mentions(gold), "model": _mentions(predicted)}
        body = versus(one["text"], sides, colours) + _relation_types(gold, predicted)
        items.append(_item(head, body, one["source"], one["class"], named_types(one)))
    note = _note(len(shown), len(examples), "errors, spread over classes and types", "errors.jsonl")
    types = sorted({type for one in shown for type in named_types(one)})
    return filtered(name, items, {"class": sorted({one["class"] for one in shown}), "type": types}, note)


def worst_list(worst: Sequence[Example], colours: Colours) -> str:
    items = []
    for one in worst:
        sides = whole(one["gold"], "gold", colours) + whole(one["predicted"], "model", colours)
        probability = _percent(one["gold_probability"])
        head = f"<span>F1 <strong>{100 * one['f1']:.0f}</strong>, mean probability of gold {probability}</span>"
        items.append(_item(head, f'<div class="versus">{sides}</div>', one["source"], "", []))
    return filtered("worst-list", items, {})


def rival_list(name: str, examples: Sequence[Example], colours: Colours) -> str:
    items = []
    shown = examples[:MOST_RIVALS]
    for one in shown:
        mention = one["mention"]
        sides = {"gold": [mention]}
        for side, key in (("A", "first"), ("B", "second")):
            every = one[key]["entities"]
            sides[side] = [some for some in every if some["start"] < mention["end"] and some["end"] > mention["start"]]
        types = [some["type"] for mentions in sides.values() for some in mentions]
        items.append(_item("", versus(one["text"], sides, colours), one["source"], "", types))
    note = _note(len(shown), len(examples), "examples, most confident first", "")
    return filtered(name, items, {"type": sorted({one["mention"]["type"] for one in shown})}, note)


def spread(examples: Sequence[Example], most: int) -> list[Example]:
    """A sample in which each class and type has its share, in the original order."""
    groups: dict[tuple, list[int]] = defaultdict(list)
    for number, one in enumerate(examples):
        groups[(one["class"], *named_types(one))].append(number)
    chosen = islice(interleave_longest(*groups.values()), most)
    return [examples[number] for number in sorted(chosen)]


def _mentions(side: Any) -> list[Example]:
    """The entity, or both entities of a relation."""
    if not side:
        return []
    return [side["head"], side["tail"]] if "head" in side else [side]


def _relation_types(gold: Any, predicted: Any) -> str:
    parts = []
    for name, side in (("gold", gold), ("model", predicted)):
        if side and "head" in side:
            words = " → ".join(attribute(part) for part in (side["head"]["text"], side["type"], side["tail"]["text"]))
            parts.append(f"<li><b>{name}</b> {words}</li>")
    return f'<ul class="relation-types">{"".join(parts)}</ul>' if parts else ""


def _badge(kind: str, name: str = "") -> str:
    return f'<span class="badge is-{attribute(kind)}">{attribute(name or kind)}</span>'


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _note(shown: int, total: int, what: str, file: str) -> str:
    if shown == total:
        return ""
    return f"{shown:,} of {total:,} {what}." + (f" The full list is in {file}." if file else "")
