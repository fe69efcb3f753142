"""Everything that is changed in AllenNLP for everybody. Imports nothing else of ner_zoo."""
