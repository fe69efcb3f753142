from ner_zoo.data.token_budget import token_batches


def test_sentences_of_similar_length_share_a_batch_within_the_budget():
    lengths = [9, 2, 0, 3, 8, 2, 1]
    found = list(token_batches(lengths, 8))
    assert found == [[6, 1, 5], [3], [4], [0]]
    assert all(len(batch) * max(lengths[number] for number in batch) <= 8 for batch in found[:-1])


def test_a_sentence_longer_than_the_budget_is_a_batch_of_its_own():
    assert list(token_batches([5, 1], 2)) == [[1], [0]]


def test_without_sentences_there_is_no_batch():
    assert list(token_batches([], 8)) == list(token_batches([0], 8)) == []
