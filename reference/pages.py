"""All pages and pictures of the reference, by file name."""

from pathlib import Path

from reference import command_line, config_parts, corpora, json_files, parts, pictures, python_api

FOLDER = Path(__file__).parents[1] / "docs" / "reference"


def pages() -> dict[str, str]:
    """The text of every page and picture."""
    return {
        **pictures.pictures(),
        "readers.md": parts.readers(),
        "parts.md": parts.parts(),
        "use.md": config_parts.page(),
        "commands.md": command_line.page(),
        "python.md": python_api.page(),
        "json.md": json_files.page(),
        "corpora.md": corpora.page(),
    }


def write() -> list[Path]:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return sorted(FOLDER.iterdir())
