from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.split_summary import SplitSummary


def test_types_are_gathered_and_half_numbers_are_strange():
    summary = SplitSummary()
    summary.add(Sentence(("Ada", "7"), (Entity.of("PER", 0, 1),)))
    assert summary.entity_types == {"PER"}
    assert summary.warnings("training data") == [
        "50% of the tokens of the training data are numbers. Check that tokens are read from the right column."
    ]
    summary.add(Sentence(("Ada",)))
    assert summary.warnings("training data") == []
