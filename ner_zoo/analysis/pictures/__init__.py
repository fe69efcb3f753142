"""Pictures of an analysis with matplotlib, each for light and for dark paper."""
