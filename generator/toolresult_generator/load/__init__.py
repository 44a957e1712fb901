"""Stage 1, load: a folder of YAML and JSON files to documents that remember their places."""

from __future__ import annotations

from toolresult_generator.load.node import Key, Node, Plain
from toolresult_generator.load.spec import Document, Spec, load_spec

__all__ = ["Document", "Key", "Node", "Plain", "Spec", "load_spec"]
