"""Says in an agent's card that its tasks follow the mapping."""

from __future__ import annotations

from a2a.types.a2a_pb2 import AgentCard, AgentExtension

from toolresult_core.constants import A2A_EXTENSION, NAMESPACE


def declare_extension(card: AgentCard, *, required: bool = False) -> AgentCard:
    """Declare the extension whose URI artifacts with metadata list, and return the same card.

    A card that declares it already keeps its declaration, but for ``required``: whether
    clients must know the mapping. They need not: what they do not know they can ignore.
    """
    for declared in card.capabilities.extensions:
        if declared.uri == A2A_EXTENSION:
            declared.required = required
            return card
    extension = AgentExtension(
        uri=A2A_EXTENSION,
        description=f"Results of tools, with metadata and markers under {NAMESPACE}/.",
        required=required,
    )
    card.capabilities.extensions.append(extension)
    return card
