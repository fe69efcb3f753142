"""Writers of corpus files, one module per format, loaded when a writer is looked up by name."""
