"""A few shapes of SVG. Text is inside filled boxes or mid-grey, and so readable on light and on dark pages."""

from html import escape

GREY = "#7d8590"
INK = "#1c2128"
FONT = "font-family='system-ui, sans-serif'"


def picture(width: int, height: int, title: str, shapes: list[str]) -> str:
    """The file; `title` is what screen readers say."""
    arrow = (
        "<defs><marker id='tip' viewBox='0 0 10 10' refX='9' refY='5' markerWidth='7' markerHeight='7' orient='auto'>"
        f"<path d='M0 0 10 5 0 10z' fill='{GREY}'/></marker></defs>"
    )
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
        f"role='img' {FONT}>\n<title>{escape(title)}</title>\n{arrow}"
    )
    return "\n".join([head, *shapes, "</svg>"]) + "\n"


def box(x: float, y: float, width: float, height: float, fill: str, radius: int = 6) -> str:
    return f"<rect x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}' rx='{radius}' fill='{fill}'/>"


def text(
    x: float, y: float, words: str, size: int = 13, ink: str = INK, anchor: str = "middle", bold: bool = False
) -> str:
    style = f"font-size='{size}' fill='{ink}' text-anchor='{anchor}'" + " font-weight='600'" * bold
    return f"<text x='{x:g}' y='{y:g}' {style}>{escape(words)}</text>"


def arrow(*points: tuple[float, float]) -> str:
    """A line through the points, with a tip at the last."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f"<polyline points='{path}' fill='none' stroke='{GREY}' stroke-width='1.6' marker-end='url(#tip)'/>"
