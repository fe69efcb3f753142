"""
Indexes words by the first of their spellings in the vocabulary: verbatim, in lower case, then in plainer forms.

    #ZAGREB  ->  #ZAGREB, #zagreb, ZAGREB, zagreb, Zagreb

A word that was not in the training data then gets the id, and the vector, of the word it probably stands for.
"""

from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import Token
from overrides import overrides

from ner_zoo.data.spellings import spellings


@TokenIndexer.register("known_spelling")
class KnownSpelling(SingleIdTokenIndexer):
    """
    namespace : vocabulary namespace of the words.
    token_min_padding_length : as in AllenNLP.
    """

    def __init__(self, namespace: str = "tokens", token_min_padding_length: int = 0) -> None:
        super().__init__(namespace, token_min_padding_length=token_min_padding_length)

    @overrides
    def tokens_to_indices(self, tokens: list[Token], vocabulary: Vocabulary) -> dict[str, list[int]]:
        numbers = vocabulary.get_token_to_index_vocabulary(self.namespace)
        unknown = vocabulary.get_token_index(vocabulary._oov_token, self.namespace)
        found = []
        for token in tokens:
            number = numbers.get(token.text)
            if number is None:
                number = next((numbers[word] for word in spellings(token.text) if word in numbers), unknown)
            found.append(number)
        return {"tokens": found}
