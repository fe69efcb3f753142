"""
Prints a sentence with its entities in brackets followed by their types: `[Ada [Quill]NAME]PER moved to [Lune]LOC.`

Each fragment of a discontinuous entity gets its own brackets and a number: `[left]PAIN/1 and right [hand]PAIN/2`.
"""

from collections import defaultdict

from ner_zoo.annotation import Entity, Sentence

# How much of a sentence to print.
MOST_TOKENS = 60


def bracketed(sentence: Sentence) -> str:
    """One line for the sentence, plus one for each relation."""
    text, offsets = sentence.characters()
    opened: dict[int, int] = defaultdict(int)
    closed: dict[int, list[str]] = defaultdict(list)
    for entity in sorted(sentence.entities, key=lambda entity: entity.width):
        for number, (start, end) in enumerate(entity.fragments, 1):
            opened[start] += 1
            closed[end - 1].append(f"]{entity.type}" + (f"/{number}" if entity.is_discontinuous else ""))
    line, reach = "", 0
    for place, (start, end) in enumerate(offsets[:MOST_TOKENS]):
        line += text[reach:start] + "[" * opened[place] + text[start:end] + "".join(closed[place])
        reach = end
    line += " …" if len(offsets) > MOST_TOKENS else text[reach:]
    relations = [f"  {r.type}: {_words(sentence, r.head)} -> {_words(sentence, r.tail)}" for r in sentence.relations]
    return "\n".join([" ".join(line.split()), *relations])


def _words(sentence: Sentence, entity: Entity) -> str:
    return " … ".join(" ".join(sentence.tokens[start:end]) for start, end in entity.fragments)
