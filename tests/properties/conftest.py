"""Profiles: quick by default, the same ones every time under CI, fewer or many more if asked."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("quick", max_examples=100, deadline=None, suppress_health_check=_SLOW)
settings.register_profile("ci", settings.get_profile("quick"), derandomize=True)
settings.register_profile("few", settings.get_profile("ci"), max_examples=25)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=5000)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "quick")
)
