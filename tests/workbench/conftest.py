"""Models for these tests."""

from tests.trained_models import joint_archive, tagger_archive

__all__ = ["joint_archive", "tagger_archive"]
