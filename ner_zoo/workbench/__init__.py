"""For labels that are wrong, missing or not there yet."""
