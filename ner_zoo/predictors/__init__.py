"""Text to JSON."""
