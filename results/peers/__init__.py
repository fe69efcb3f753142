"""Other tools, trained on the same files with the same vectors and scored alike: `python -m results.peers`."""
