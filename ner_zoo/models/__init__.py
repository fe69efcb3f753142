"""Models: compositions of embedder, encoder, head and loss."""
