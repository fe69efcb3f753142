"""Generates the pages in docs/reference from the code: registered parts, config parts, commands, Python and JSON."""
