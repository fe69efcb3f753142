"""Rendering is a pure function that shows exactly the text, whatever the text is."""

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ner_zoo.rendering.palette import COLOURS, colours
from ner_zoo.rendering.render import figure, to_document, to_html

Fragments = list[tuple[int, int]]


def prediction(
    text: str, entities: list[tuple[str, Fragments]], relations: list[dict[str, Any]] = ()
) -> dict[str, Any]:  # type: ignore[assignment]
    found = [
        {
            "type": type,
            "text": " ".join(text[start:end] for start, end in fragments),
            "fragments": fragments,
            "start": fragments[0][0],
            "end": fragments[-1][1],
            "score": 0.75,
        }
        for type, fragments in entities
    ]
    return {"text": text, "tokens": [], "entities": found, "relations": list(relations)}


class Reader(HTMLParser):
    """Collects the annotated text, without labels, and every tag."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.tags.append(tag)
        self.open.append(dict(attributes).get("class") or "")

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if any("nz-text" in name for name in self.open) and self.open[-1] != "nz-label":
            self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


@st.composite
def predictions(draw: st.DrawFn) -> dict[str, Any]:
    text = draw(
        st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\x00"), min_size=1, max_size=40)
    )
    places = st.lists(st.integers(0, len(text)), min_size=2, max_size=6, unique=True).map(sorted)
    fragments = places.map(lambda cuts: list(zip(cuts[::2], cuts[1::2])))
    entities = draw(st.lists(st.tuples(st.text(max_size=6), fragments), max_size=6))
    count = len(entities)
    ends = st.integers(0, max(0, count - 1))
    relation = st.fixed_dictionaries(
        {"type": st.text(max_size=5), "head": ends, "tail": ends, "score": st.floats(0, 1)}
    )
    return prediction(text, entities, draw(st.lists(relation, max_size=3)) if count else [])


@given(predictions())
def test_every_character_of_the_text_is_shown_once_however_entities_lie(given: dict[str, Any]) -> None:
    reader = read(figure(given))
    assert reader.text == given["text"] and reader.open == []
    assert set(reader.tags) <= {"figure", "ul", "li", "b", "div", "mark", "span", "table", "tbody", "tr", "td"}


def test_text_that_is_html_stays_text() -> None:
    text = "<script>alert(1)</script> & <img src=x onerror=alert(2)>"
    html = figure(prediction(text, [('"><script>', [(0, 8)])]))
    assert "<script" not in html and "<img" not in html and 'data-type="&quot;&gt;' in html


def test_nested_entities_are_boxes_in_boxes() -> None:
    html = figure(prediction("Bank of Aubray", [("LOC", [(8, 14)]), ("ORG", [(0, 14)])]))
    assert re.search(r"<mark [^>]*ORG[^>]*>Bank of <mark [^>]*LOC[^>]*>Aubray<span", html)


def test_an_entity_that_crosses_another_is_cut_and_labelled_once() -> None:
    html = figure(prediction("abcdef", [("X", [(0, 4)]), ("Y", [(2, 6)])]))
    assert html.count('data-entity="1"') == 2 and html.count(">Y</span>") == 1
    assert "nz-cut-right" in html and "nz-cut-left" in html


def test_fragments_of_a_discontinuous_entity_are_numbered() -> None:
    html = figure(prediction("pain in hand", [("ADR", [(0, 4), (8, 12)])]))
    assert "ADR 1/2" in html and "ADR 2/2" in html and html.count("tabindex") == 1


def test_relations_are_reported_without_a_script_and_drawn_with_one() -> None:
    relation = {"type": "knows", "head": 0, "tail": 1, "score": 0.5}
    given = prediction("Ada Bob", [("PER", [(0, 3)]), ("PER", [(4, 7)])], [relation])
    html = to_html(given)
    assert "knows" in read(html).text or "<span>knows</span>" in html
    assert "<script>" in html and "<script>" not in to_html(prediction("Ada", [("PER", [(0, 3)])]))


def test_scores_are_shown_as_strength_and_in_words() -> None:
    html = figure(prediction("Ada", [("PER", [(0, 3)])]))
    assert "nz-s8" in html and "75.0%" in html


def test_a_document_is_whole_and_loads_nothing() -> None:
    html = to_document(prediction("Ada \ud800", [("PER", [(0, 3)])]), title="<x>")
    assert html.startswith("<!doctype html>") and "&lt;x&gt;" in html
    html.encode("utf-8")
    assert not re.search(r"""(src|href)=["']?http""", html) and "url(" not in html


def test_an_error_is_shown_as_such() -> None:
    assert "&lt;no&gt;" in figure({"error": "<no>"}) and unescape(figure({"error": "<no>"}))


@given(st.lists(st.text(max_size=8), max_size=COLOURS, unique_by=str.lower))
def test_types_have_different_colours(types: list[str]) -> None:
    chosen = colours(types)
    assert set(chosen) == set(types) and all(0 <= colour < COLOURS for colour in chosen.values())
    assert chosen == colours(reversed(types))


def test_usual_types_have_the_same_colour_whatever_other_types_there_are() -> None:
    assert colours(["PER", "LOC"])["PER"] == colours(["PER", "x", "y", "ORG"])["PER"] == colours(["person"])["person"]
