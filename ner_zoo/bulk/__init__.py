"""
Annotation of large collections: on the processes of this machine, or on a Ray cluster.

    source -> chunks -> engine (workers with a model each) -> parts on disk -> one output file
"""
