"""Tools for data with wrong, missing or no labels yet."""
