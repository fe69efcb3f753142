"""Training of word vectors on raw text."""
