"""
Everything that is changed in AllenNLP for everybody: `changes` is the list of it, `default_callbacks` that of the
callbacks that every run has. Imports nothing else of ner_zoo.
"""
