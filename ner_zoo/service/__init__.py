"""Models over HTTP: an API, a page to try them, and predictions as HTML."""
