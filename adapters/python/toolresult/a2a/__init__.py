"""Agent2Agent: reading what a finished task says."""

from __future__ import annotations

from toolresult.a2a.reader import TaskReader03, TaskReader10

__all__ = ["TaskReader03", "TaskReader10"]
