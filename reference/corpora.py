"""The page on corpora, from the catalogue: what each is, its licence, where it comes from, and where it goes."""

from ner_zoo.data.catalogue import CatalogueEntry, catalogue
from reference.markdown import document, table


def origin(entry: CatalogueEntry) -> str:
    """Repositories, and what else has to be obtained."""
    repositories = [f"`{one}`" for one in entry.repositories]
    return "; ".join(repositories + ([entry.where] if entry.where else []))


def layout(entry: CatalogueEntry) -> str:
    folders = sorted({f"`{part['to']}/`" for part in entry.parts})
    return ", ".join(folders + ([f"`{entry.layout}`"] if entry.layout else []))


def page() -> str:
    entries = catalogue().values()
    what = [(f"`{one.name}`", one.task, one.language, one.size, one.licence) for one in entries]
    where = [(f"`{one.name}`", origin(one), layout(one)) for one in entries]
    return document(
        "Catalogue of corpora",
        "What `allennlp corpus list` shows. Corpora with a repository are fetched by `allennlp corpus get NAME`; for "
        "the others it says where to apply. [Corpora](../corpora.md) explains the rest.",
        "## What they are\n\n" + table(("name", "task", "language", "size", "licence"), what),
        "## Where they come from, and where they go\n\nPaths are below `$NER_ZOO_DATA`.\n\n"
        + table(("name", "origin", "files"), where),
    )
