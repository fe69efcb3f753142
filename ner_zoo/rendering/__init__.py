"""Predictions as HTML, and the look that pages and pictures share: pure functions."""
