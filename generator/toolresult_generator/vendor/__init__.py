"""Copies for servers that take no package: generated code, adapters, licence and a manifest."""
