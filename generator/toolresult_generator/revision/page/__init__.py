"""The report of a revision as one HTML file for people."""

from toolresult_generator.revision.page.page import html

__all__ = ["html"]
