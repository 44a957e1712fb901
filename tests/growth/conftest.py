"""The grown specs. Each is built once, and not to be changed by a test: copy it first."""

from __future__ import annotations

import pytest
from tests.growth import growths
from tests.growth.team import Team, grown


@pytest.fixture(scope="session")
def fields(target: Team) -> Team:
    """A new error code and a new metadata field, both of format version 2. The guide's target has
    them too, so one spec is enough for both."""
    return target


@pytest.fixture(scope="session")
def namespace(tmp_path_factory: pytest.TempPathFactory) -> Team:
    """Another namespace."""
    return grown("namespace", tmp_path_factory, growths.namespace)


@pytest.fixture(scope="session")
def revision(tmp_path_factory: pytest.TempPathFactory) -> Team:
    """A new MCP revision that differs in one rule."""
    return grown("revision", tmp_path_factory, growths.revision)


@pytest.fixture(scope="session")
def kind(tmp_path_factory: pytest.TempPathFactory) -> Team:
    """A new part kind whose text is left to an adapter."""
    return grown("kind", tmp_path_factory, growths.kind)


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Team:
    """A whole new target."""
    return grown("target", tmp_path_factory, growths.target)
