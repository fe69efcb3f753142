"""What models did and how sure one can be of it: significance, errors, calibration, pictures. Imported when needed."""
