"""Models for these tests, and a service with both on a real socket."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ner_zoo.service.limits import Limits
from ner_zoo.service.served_model import ServedModel
from ner_zoo.service.service import Service
from tests.service.live_server import running
from tests.trained_models import joint_archive, tagger_archive

__all__ = ["joint_archive", "tagger_archive"]


@pytest.fixture(scope="session")
def tagger(tagger_archive: Path) -> ServedModel:
    return ServedModel.load("ner", str(tagger_archive), -1, {})


@pytest.fixture(scope="session")
def joint(joint_archive: Path) -> ServedModel:
    return ServedModel.load("re", str(joint_archive), -1, {})


@pytest.fixture(scope="module")
def address(joint: ServedModel, tagger: ServedModel) -> Iterator[str]:
    """The address of a service with two models and small limits."""
    limits = Limits(max_body_bytes=200_000, max_text_characters=20_000, max_inputs=8, max_queue=64, drain=0.1)
    with running(Service({"re": joint, "ner": tagger}, limits)) as address:
        yield address
