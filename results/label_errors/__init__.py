"""Errors planted in training data: how many of them `allennlp clean` finds, and what repairing them is worth."""
