from ner_zoo.commands.evaluate import score_table

ENTITY = {"entity_precision": 0.5, "entity_recall": 0.25, "entity_f1": 1 / 3}
PERSON = {"entity_precision/PER": 1.0, "entity_recall/PER": 0.25, "entity_f1/PER": 0.4}


def test_types_come_before_their_total_and_other_figures_last():
    assert score_table({**ENTITY, **PERSON, "loss": 1.5}).splitlines() == [
        "entity  precision  recall     F1",
        "PER        100.00   25.00  40.00",
        "all         50.00   25.00  33.33",
        "",
        "loss  1.5000",
    ]


def test_each_f1_has_a_block_of_its_own():
    relation = {name.replace("entity", "relation"): value for name, value in ENTITY.items()}
    assert score_table({**ENTITY, **relation}).count("precision") == 2
