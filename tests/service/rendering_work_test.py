import random

from ner_zoo.predictors.conll import to_conll
from ner_zoo.rendering import render
from ner_zoo.service.rendering_work import estimated_size, most_at_one_place
from ner_zoo.service.schema import Prediction


def test_spans_that_touch_have_no_place_in_common() -> None:
    assert most_at_one_place([]) == 0
    assert most_at_one_place([(0, 2), (2, 4)]) == 1
    assert most_at_one_place([(0, 4), (1, 3), (2, 6), (5, 8)]) == 3


def test_the_estimate_is_never_below_what_is_written() -> None:
    draw = random.Random(3)
    for _ in range(200):
        count = draw.randint(1, 30)
        spans = [sorted(draw.sample(range(count + 1), 2)) for _ in range(draw.randint(0, 25))]
        entities = [
            {"type": "T" * draw.randint(1, 30), "text": "x", "fragments": [span], "start": 0, "end": 1, "score": 0.5}
            for span in spans
        ]
        relations = [
            {"type": "r" * draw.randint(1, 9), "head": draw.randrange(len(spans)), "tail": 0, "score": 0.25}
            for _ in range(draw.randint(0, 5) if spans else 0)
        ]
        tokens = [{"text": "a", "start": place, "end": place + 1} for place in range(count)]
        content = {"text": "a" * count, "tokens": tokens, "entities": entities, "relations": relations}
        prediction = Prediction.model_validate(content)
        written = prediction.model_dump()
        # The frame of the page and line ends do not grow with the entities.
        frame = 400 + count
        assert len(to_conll(written)) <= estimated_size(prediction) + frame
        assert len(render.figure(written)) <= estimated_size(prediction) + frame
