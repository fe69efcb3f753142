"""Errors planted in training data: how many of them `allennlp clean` finds, and the effect of repairing them."""
