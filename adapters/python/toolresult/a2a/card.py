"""Says in an agent's card that its tasks follow the mapping."""

from __future__ import annotations

from a2a.types.a2a_pb2 import AgentCard, AgentExtension

from toolresult_core.constants import A2A_EXTENSION, NAMESPACE


def declare_extension(card: AgentCard) -> AgentCard:
    """Declare the extension whose URI artifacts with metadata list, and return the same card.

    It is optional: a client that does not know the mapping can ignore what is beyond it. A
    card that declares it already is left as it is.
    """
    if all(declared.uri != A2A_EXTENSION for declared in card.capabilities.extensions):
        extension = AgentExtension(
            uri=A2A_EXTENSION,
            description=f"Results of tools, with metadata and markers under {NAMESPACE}/.",
        )
        card.capabilities.extensions.append(extension)
    return card
