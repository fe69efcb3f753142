"""Speed compared with other implementations, in one process: `python -m benchmarks [name ...] [--quick]`."""
