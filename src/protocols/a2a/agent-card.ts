import type { ValueOf } from '../../base/format/shape.ts'
import { flag, object, read, text } from '../../base/format/shape.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'

/** Where an agent is reached, and how. `protocolBinding` is JSONRPC, HTTP+JSON, GRPC or a URI. */
const INTERFACE = {
  url: text,
  protocolBinding: text,
  'protocolVersion?': text,
  'tenant?': text,
}

/** An extension that the agent knows. */
const EXTENSION = {
  uri: text,
  'description?': text,
  'required?': flag,
  'params?': object,
}

/** What an agent can do, with examples of how to ask for it. */
const SKILL = {
  id: text,
  name: text,
  'description?': text,
  'tags?': [text],
  'examples?': [text],
  'inputModes?': [text],
  'outputModes?': [text],
}

/** A signature of the card (JWS, RFC 7515): header and signature in base64url. */
const SIGNATURE = { protected: text, signature: text, 'header?': object }

/** The card of an agent. Names, addresses and examples are untrusted text. */
export const AGENT_CARD = {
  name: text,
  'description?': text,
  'version?': text,
  supportedInterfaces: [INTERFACE],
  'capabilities?': {
    'streaming?': flag,
    'pushNotifications?': flag,
    'extendedAgentCard?': flag,
    'extensions?': [EXTENSION],
  },
  'skills?': [SKILL],
  'provider?': { 'organization?': text, 'url?': text },
  'iconUrl?': text,
  'documentationUrl?': text,
  'defaultInputModes?': [text],
  'defaultOutputModes?': [text],
  'securitySchemes?': object,
  'securityRequirements?': [object],
  'signatures?': [SIGNATURE],
}

/** Reads a card of A2A 1.0 or 0.3. A card that has both forms is read as 1.0. @throws ValidationError */
export function readAgentCard(value: unknown, path: string): AgentCard {
  const card = object(value, path)
  return read(AGENT_CARD, card.supportedInterfaces === undefined ? fromOlder(card) : card, path)
}

function fromOlder(card: JsonObject): JsonObject {
  const { url, preferredTransport = 'JSONRPC', additionalInterfaces, protocolVersion = '0.3.0', capabilities } = card
  const others = Array.isArray(additionalInterfaces) ? additionalInterfaces.filter(isJsonObject) : []
  return {
    ...card,
    supportedInterfaces: [{ url, transport: preferredTransport }, ...others].map((each) => ({
      url: each.url,
      protocolBinding: each.transport,
      protocolVersion,
    })),
    capabilities: {
      ...(isJsonObject(capabilities) ? capabilities : {}),
      extendedAgentCard: card.supportsAuthenticatedExtendedCard,
    },
    securityRequirements: card.security,
  }
}

/** Where an agent is reached, and how. */
export type AgentInterface = ValueOf<typeof INTERFACE>
/** The card of an agent. */
export type AgentCard = ValueOf<typeof AGENT_CARD>
