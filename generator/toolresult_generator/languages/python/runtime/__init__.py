"""What the generated classes and renderers stand on: JSON, checks, errors."""
