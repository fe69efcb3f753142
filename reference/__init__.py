"""The pages below docs/reference, written from the code: registered parts, config parts, commands, Python and JSON."""
