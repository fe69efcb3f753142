"""Measurements of ner_zoo on public corpora, and the page that reports them: `python -m results`."""
