"""Python: names, value classes, renderers and readers."""
