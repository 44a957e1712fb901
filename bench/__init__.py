"""Speed and memory, beside the peers in the same process: ``python -m bench``."""
