"""Pictures of an analysis with matplotlib, each in a light and a dark theme."""
