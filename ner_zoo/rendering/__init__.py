"""Rendering of predictions as HTML, and the theme shared by pages and pictures: pure functions."""
