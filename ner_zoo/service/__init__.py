"""HTTP service: an API, a web page to try models, and predictions as HTML."""
