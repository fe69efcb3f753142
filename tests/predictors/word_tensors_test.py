from pathlib import Path

import pytest
from torch.testing import assert_close

from ner_zoo.annotation import Sentence
from ner_zoo.data.distinct_words import DistinctWords
from ner_zoo.predictors.loading import load_predictor
from tests.trained_models import demo_texts


@pytest.mark.parametrize("name", ["tagger_archive", "joint_archive"])
def test_a_model_says_the_same_of_distinct_words_as_of_all_of_them(name: str, request: pytest.FixtureRequest):
    archive: Path = request.getfixturevalue(name)
    forward = load_predictor(str(archive))._forward
    assert forward._words is not None
    sentences = [Sentence(tuple(text.split())) for text in (*demo_texts()[:20], "unseen", "Ada Ada Ada")]
    tensors = forward._words(sentences)
    assert isinstance(tensors, DistinctWords)
    (encoded, mask), (expected, expected_mask) = (forward.model.encode(words) for words in (tensors, dict(tensors)))
    assert mask.equal(expected_mask)
    assert_close(encoded, expected, rtol=1e-4, atol=1e-5)
    forward._words.is_distinct = False
    assert type(forward._words(sentences)) is dict
