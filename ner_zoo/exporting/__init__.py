"""Exports a trained model to a file that runs without torch: see `ner_zoo.light`."""
