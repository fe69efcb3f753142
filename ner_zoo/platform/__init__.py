"""
Everything that ner_zoo changes in AllenNLP: `changes` lists the changes, and `default_callbacks` the callbacks that
every run gets. This package imports nothing else from ner_zoo.
"""
