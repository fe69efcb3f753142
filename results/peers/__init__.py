"""Other tools, trained on the same files with the same vectors and scored in the same way: `python -m
results.peers`."""
