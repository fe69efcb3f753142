"""
Annotation of large collections: with local processes, or on a Ray cluster.

    source -> chunks -> engine (workers with a model each) -> parts on disk -> one output file
"""
