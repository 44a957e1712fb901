"""Turns the YAML that says what a tool result is into code, schemas and proofs."""

__version__ = "0.1.0"
