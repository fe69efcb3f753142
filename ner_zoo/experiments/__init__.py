"""Configs against each other: every config with every seed, in processes of their own, and what came out of it."""
