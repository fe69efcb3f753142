from hypothesis import given
from hypothesis import strategies as st

from ner_zoo.data.corpora import utf16


@given(st.text())
def test_offsets_are_those_of_the_text_in_utf16(text):
    encoded = [character.encode("utf-16-le", "surrogatepass") for character in text]
    offsets = [sum(map(len, encoded[:place])) // 2 for place in range(len(text) + 1)]
    assert utf16.positions(text) == {offset: place for place, offset in enumerate(offsets)}
    assert utf16.length(text) == offsets[-1]
