"""What ner_zoo measures on public corpora, and the page that says so: `python -m results`."""
