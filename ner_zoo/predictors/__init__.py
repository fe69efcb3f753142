"""Predictors: raw text to JSON."""
