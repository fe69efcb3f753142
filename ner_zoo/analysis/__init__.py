"""Analysis of models: significance, errors, calibration, pictures. Imported on demand."""
