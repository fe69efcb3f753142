"""Readers of corpus files, one module per format, loaded when a corpus is looked up by name."""
