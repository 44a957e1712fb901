"""A number of a table, with its goal behind it, if it has one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A number of a table, and what it is to be."""

    value: float
    unit: str = "x"
    at_least: float | None = None
    at_most: float | None = None

    @property
    def reached(self) -> bool:
        """Whether the goal is reached, if there is one."""
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    def shown(self, *, judged: bool) -> str:
        """The text of it: `1.21x (≤ 3)`. Without the goal where nothing is to be judged."""
        unit = self.unit if self.unit == "x" else f" {self.unit}"
        shown = f"{self.value:.2f}{unit}"
        goal = self.at_least if self.at_least is not None else self.at_most
        if goal is None or not judged:
            return shown
        sign = "≥" if self.at_least is not None else "≤"
        return f"{shown} ({sign} {goal:g}{'' if self.reached else ', missed'})"
