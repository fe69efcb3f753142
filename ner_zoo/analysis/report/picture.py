"""A picture in the page, embedded in both themes; the page's styles show the matching one."""

import base64
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from ner_zoo.analysis.pictures.gallery import Picture
from ner_zoo.rendering.marks import attribute
from ner_zoo.rendering.theme import DOTS_PER_INCH

# CSS pixels per inch.
PIXELS_PER_INCH = 96


@dataclass(frozen=True)
class Embedded:
    picture: Picture
    light: bytes
    dark: bytes

    def html(self) -> str:
        images = "".join(self._image(content, theme) for content, theme in ((self.light, "light"), (self.dark, "dark")))
        caption = attribute(self.picture.caption)
        return (
            f'<figure class="picture" id="picture-{self.picture.name}"><div class="scroll" tabindex="0" role="group" '
            f'aria-label="{attribute(self.picture.description)}">{images}</div>'
            f"<figcaption>{caption}</figcaption></figure>"
        )

    def _image(self, content: bytes, theme: str) -> str:
        # The size is in the first chunk of every PNG file.
        width, height = (side * PIXELS_PER_INCH // DOTS_PER_INCH for side in struct.unpack(">II", content[16:24]))
        data = base64.b64encode(content).decode("ascii")
        size = f'width="{width}" height="{height}"'
        alternative = attribute(self.picture.description)
        return f'<img class="on-{theme}" {size} alt="{alternative}" src="data:image/png;base64,{data}">'


def pictures_of(section: str, pictures: Iterable[Embedded]) -> str:
    """All pictures of a section from top to bottom; narrow ones share a row."""
    chosen = "".join(one.html() for one in pictures if one.picture.section == section)
    return f'<div class="pictures">{chosen}</div>' if chosen else ""
