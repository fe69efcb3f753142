"""Speed against other implementations, side by side in one process: `python -m benchmarks [name ...] [--quick]`."""
