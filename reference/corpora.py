"""The page on corpora, from the catalogue: description, licence, origin and location of each corpus."""

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
        "The corpora of `allennlp corpus list`. Those with a repository are downloaded by `allennlp corpus get NAME`; "
        "for "
        "the others it prints where to apply. See [Corpora](../corpora.md) for more.",
        "## Overview\n\n" + table(("name", "task", "language", "size", "licence"), what),
        "## Origins and locations\n\nPaths are relative to `$NER_ZOO_DATA`.\n\n"
        + table(("name", "origin", "files"), where),
    )
