"""Probability distributions over the labellings of a sentence, with a common interface."""

from ner_zoo.structures.chain_constraints import ChainConstraints
from ner_zoo.structures.independent import Independent
from ner_zoo.structures.linear_chain import LinearChain
from ner_zoo.structures.structure import UNKNOWN, Structure

__all__ = ["UNKNOWN", "ChainConstraints", "Independent", "LinearChain", "Structure"]
