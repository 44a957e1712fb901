"""The same data in PHP, beside PHP's own encoder: ``python -m bench.php``."""
