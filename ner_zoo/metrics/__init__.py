"""Metrics on decoded annotations."""
