"""
The HTML report: one self-contained file that works offline, and the pictures next to it.

    write_report(Path("report"), analysis)
"""

from pathlib import Path

from ner_zoo.analysis.analysis import Analysis
from ner_zoo.analysis.pictures.gallery import gallery
from ner_zoo.analysis.report.page import page
from ner_zoo.analysis.report.picture import Embedded
from ner_zoo.rendering.theme import DARK, LIGHT

REPORT = "report.html"

__all__ = ["REPORT", "write_report"]


def write_report(folder: Path, analysis: Analysis) -> None:
    """Writes `report.html` and all pictures in the light theme as PNG files into a folder, created if needed."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = []
    for picture in gallery(analysis):
        light = picture.png(LIGHT)
        (folder / f"{picture.name}.png").write_bytes(light)
        pictures.append(Embedded(picture, light, picture.png(DARK)))
    (folder / REPORT).write_text(page(analysis, pictures), encoding="utf-8")
