/** Says in an agent's card that its tasks follow the mapping. */

import type { AgentCard } from "@a2a-js/sdk";

import { A2A_EXTENSION, NAMESPACE } from "../core.js";

/**
 * Declares the extension whose URI artifacts with metadata list, and returns the same card.
 *
 * It is optional: a client that does not know the mapping can ignore what is beyond it. A card that
 * declares it already is left as it is.
 */
export function declareExtension(card: AgentCard): AgentCard {
  const capabilities = (card.capabilities ??= {
    streaming: undefined,
    pushNotifications: undefined,
    extendedAgentCard: undefined,
    extensions: [],
  });
  if (!capabilities.extensions.some((declared) => declared.uri === A2A_EXTENSION)) {
    capabilities.extensions.push({
      uri: A2A_EXTENSION,
      description: `Results of tools, with metadata and markers under ${NAMESPACE}/.`,
      required: false,
      params: undefined,
    });
  }
  return card;
}
