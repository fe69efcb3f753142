"""Experiments: trains every config with every seed, in separate processes, and compares the results."""
