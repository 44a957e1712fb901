"""Stage 5, write: publishes all files of a run at once, or none of them."""
