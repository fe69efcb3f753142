"""Converts structures back to entities and relations with their probabilities: the inverse of a view."""
