"""Word vectors from text alone."""
