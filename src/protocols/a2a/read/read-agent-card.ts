import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { AgentCard, AgentCardSignature, AgentInterface, AgentSkill } from '../schema/agent-card.ts'
import type { Reader } from './key-reader.ts'
import {
  listOf,
  members,
  object,
  optional,
  optionalFlag,
  optionalObject,
  optionalText,
  optionalTexts,
  text,
} from './key-reader.ts'

type Capabilities = NonNullable<AgentCard['capabilities']>
type Extension = NonNullable<Capabilities['extensions']>[number]

const wireCard: Reader<AgentCard> = /* @__PURE__ */ members<AgentCard>({
  name: text,
  description: optionalText,
  version: optionalText,
  supportedInterfaces: listOf(
    members<AgentInterface>({
      url: text,
      protocolBinding: text,
      protocolVersion: optionalText,
      tenant: optionalText,
    }),
  ),
  capabilities: optional(
    members<Capabilities>({
      streaming: optionalFlag,
      pushNotifications: optionalFlag,
      extendedAgentCard: optionalFlag,
      extensions: optional(
        listOf(
          members<Extension>({ uri: text, description: optionalText, required: optionalFlag, params: optionalObject }),
        ),
      ),
    }),
  ),
  skills: optional(
    listOf(
      members<AgentSkill>({
        id: text,
        name: text,
        description: optionalText,
        tags: optionalTexts,
        examples: optionalTexts,
        inputModes: optionalTexts,
        outputModes: optionalTexts,
      }),
    ),
  ),
  provider: optional(members<NonNullable<AgentCard['provider']>>({ organization: optionalText, url: optionalText })),
  iconUrl: optionalText,
  documentationUrl: optionalText,
  defaultInputModes: optionalTexts,
  defaultOutputModes: optionalTexts,
  securitySchemes: optionalObject,
  securityRequirements: optional(listOf(object)),
  signatures: optional(
    listOf(members<AgentCardSignature>({ protected: text, signature: text, header: optionalObject })),
  ),
})

/** The card of an agent, of A2A 1.0 or 0.3. A card that has both forms is read as 1.0. @throws ValidationError */
export const readAgentCard: Reader<AgentCard> = (value, path) => {
  const card = object(value, path)
  return wireCard(card.supportedInterfaces === undefined ? fromOlder(card) : card, path)
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
