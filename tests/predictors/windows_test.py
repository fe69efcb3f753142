"""Windows are tested with a rule on single tokens, so that the result for the whole sentence is known."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from ner_zoo.annotation import Entity, Relation, Span
from ner_zoo.labels.prediction import Prediction, Tagging
from ner_zoo.predictors.windows import deciding_window, merged, merged_with_taggings, windows


def names_in(tokens: list[str]) -> Prediction:
    """Every run of capitals is an entity, and each is related to the next one."""
    entities: list[Entity] = []
    start = -1
    for place, token in enumerate([*tokens, "x"]):
        if token.isupper() and start < 0:
            start = place
        elif not token.isupper() and start >= 0:
            entities.append(Entity.of("NAME", start, place))
            start = -1
    pairs = itertools.pairwise(entities)
    near = [Relation("next", head, tail) for head, tail in pairs if tail.end - head.start <= 4]
    return Prediction([(entity, 0.5) for entity in entities], [(relation, 0.5) for relation in near])


def through_windows(tokens: list[str], size: int, shared: int) -> Prediction:
    spans = windows(len(tokens), size, shared)
    return merged(spans, [names_in(tokens[start:end]) for start, end in spans])


@given(st.integers(0, 200), st.integers(1, 30), st.data())
def test_windows_cover_every_token_and_share_enough(length: int, size: int, data: st.DataObject) -> None:
    shared = data.draw(st.integers(0, size - 1))
    spans = windows(length, size, shared)
    assert {place for start, end in spans for place in range(start, end)} == set(range(length))
    assert all(end - start <= size for start, end in spans)
    assert all(before[1] - after[0] >= shared for before, after in itertools.pairwise(spans))


@given(st.lists(st.sampled_from(["a", "b", "c", "A"]), max_size=80))
def test_what_the_windows_find_is_what_the_whole_sentence_has(tokens: list[str]) -> None:
    # Names of at most 3 tokens, and relations of at most 4, fit into the overlap of windows of 12 that share 8.
    for place in range(3, len(tokens)):
        if all(token == "A" for token in tokens[place - 3 : place]):
            tokens[place] = "a"
    assert sorted(map(repr, through_windows(tokens, 12, 8).entities)) == sorted(map(repr, names_in(tokens).entities))
    assert sorted(map(repr, through_windows(tokens, 12, 8).relations)) == sorted(map(repr, names_in(tokens).relations))


@given(st.lists(st.sampled_from(["a", "A"]), max_size=20))
def test_a_sentence_that_fits_is_predicted_as_a_whole(tokens: list[str]) -> None:
    assert through_windows(tokens, 20, 5) == names_in(tokens)


@given(st.lists(st.sampled_from(["a", "A"]), max_size=60), st.integers(2, 9))
def test_a_flat_model_stays_flat_at_the_seams(tokens: list[str], size: int) -> None:
    taken: list[int] = []
    for entity, _ in through_windows(tokens, size, size // 2).entities:
        taken += range(entity.start, entity.end)
    assert len(taken) == len(set(taken))


def test_a_span_is_decided_by_the_window_in_whose_middle_it_lies() -> None:
    spans: list[Span] = [(0, 10), (5, 15), (10, 20)]
    assert [deciding_window(spans, place, place + 1) for place in (0, 6, 8, 13, 19)] == [0, 0, 1, 2, 2]
    assert deciding_window(spans, 9, 11) == 1
    assert deciding_window(spans, 0, 12) == -1


def test_nested_entities_of_two_windows_stay_if_one_window_has_both() -> None:
    wide, narrow = Entity.of("ORG", 4, 9), Entity.of("LOC", 8, 9)
    first = Prediction([(wide, 0.9), (narrow, 0.8)])
    second = Prediction([(Entity.of("LOC", 3, 4), 0.7)])
    spans = [(0, 10), (5, 15)]
    assert {entity for entity, _ in merged(spans, [first, second]).entities} == {wide, narrow}
    alone = merged(spans, [Prediction([(wide, 0.9)]), second])
    assert [entity for entity, _ in alone.entities] == [wide]


def test_taggings_of_windows_are_combined_from_the_most_probable_on() -> None:
    name = Entity.of("PER", 0, 1)
    sure, unsure = Tagging(-0.1, ((name, 0.9),)), Tagging(-2.0, ())
    parts = [Prediction([(name, 0.9)], taggings=[sure, unsure]), Prediction(taggings=[Tagging(-0.2, ())])]
    whole = merged_with_taggings([(0, 3), (2, 5)], parts, top_k=5)
    assert [round(tagging.log_probability, 6) for tagging in whole.taggings] == [-0.3, -2.2]
    assert [len(tagging.entities) for tagging in whole.taggings] == [1, 0]
