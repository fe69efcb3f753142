from typing import Any

from ner_zoo.predictors.conll import to_conll


def prediction(text: str, entities: list[Any], sentences: list[Any] = ()) -> dict[str, Any]:  # type: ignore[assignment]
    tokens, start = [], 0
    for word in text.split(" "):
        tokens.append({"text": word, "start": start, "end": start + len(word)})
        start += len(word) + 1
    return {
        "text": text,
        "tokens": tokens,
        "sentences": list(sentences),
        "entities": [{"type": type, "fragments": fragments} for type, *fragments in entities],
    }


def test_a_flat_prediction_has_one_column_of_tags() -> None:
    text = to_conll(prediction("Ione Prask sang", [("PER", [0, 10])]))
    assert text == "Ione\tB-PER\nPrask\tI-PER\nsang\tO\n\n"


def test_nested_entities_take_further_columns_the_widest_first() -> None:
    text = to_conll(prediction("Bank of Aubray", [("LOC", [8, 14]), ("ORG", [0, 14])]))
    assert text == "Bank\tB-ORG\tO\nof\tI-ORG\tO\nAubray\tI-ORG\tB-LOC\n\n"


def test_sentences_are_separated_by_an_empty_line() -> None:
    assert to_conll(prediction("No . Yes .", [], [[0, 4], [5, 10]])) == "No\tO\n.\tO\n\nYes\tO\n.\tO\n\n"


def test_fragments_of_a_discontinuous_entity_are_written_one_by_one() -> None:
    text = to_conll(prediction("pain in hand", [("ADR", [0, 4], [8, 12])]))
    assert text == "pain\tB-ADR\nin\tO\nhand\tB-ADR\n\n"


def test_a_token_with_spaces_stays_one_line_of_two_columns() -> None:
    given = {"tokens": [{"text": "New\tYork \n", "start": 0, "end": 10}], "entities": []}
    assert to_conll(given) == "New_York\tO\n\n"


def test_a_text_without_tokens_is_empty() -> None:
    assert to_conll({"text": " ", "tokens": [], "entities": []}) == ""
