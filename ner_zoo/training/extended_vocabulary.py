"""
A vocabulary that starts with that of an archive: every word and label keeps its id, and new ones are appended.
"""

import os
from collections.abc import Iterable
from contextlib import nullcontext

from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Vocabulary

from ner_zoo.platform.archives import extracted_archive
from ner_zoo.platform.pretrained import model_path, no_such_archive


@Vocabulary.register("extend_archive", constructor="from_archive_and_instances")
class ExtendedVocabulary(Vocabulary):
    """
    Like AllenNLP's `extend`, but from an archive, which is opened with the usual checks.

    archive : the model whose vocabulary comes first, or its run's folder.
    """

    @classmethod
    def from_archive_and_instances(
        cls,
        instances: Iterable[Instance],
        archive: str,
        min_count: dict[str, int] | None = None,
        max_vocab_size: int | dict[str, int] | None = None,
        pretrained_files: dict[str, str] | None = None,
        min_pretrained_embeddings: dict[str, int] | None = None,
    ) -> Vocabulary:
        """The remaining options are those of AllenNLP's `from_instances`."""
        path = model_path(archive)
        if not os.path.exists(path):
            raise ConfigurationError(no_such_archive(archive))
        with nullcontext(path) if os.path.isdir(path) else extracted_archive(path) as folder:
            return Vocabulary.from_files_and_instances(
                instances,
                os.path.join(folder, "vocabulary"),
                min_count=min_count,
                max_vocab_size=max_vocab_size,
                pretrained_files=pretrained_files,
                min_pretrained_embeddings=min_pretrained_embeddings,
            )
