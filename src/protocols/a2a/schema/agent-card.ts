import * as z from 'zod/mini'
import { flag, jsonObject, optional, text, texts } from './json-schemas.ts'

/** Where an agent is reached, and how. `protocolBinding` is JSONRPC, HTTP+JSON, GRPC or a URI. */
export const agentInterfaceSchema = /* @__PURE__ */ z.object({
  url: text,
  protocolBinding: text,
  protocolVersion: optional(text),
  tenant: optional(text),
})

/** An extension that the agent knows. */
const agentExtensionSchema = /* @__PURE__ */ z.object({
  uri: text,
  description: optional(text),
  required: flag,
  params: optional(jsonObject),
})

/** What an agent can do, with examples of how to ask for it. */
export const agentSkillSchema = /* @__PURE__ */ z.object({
  id: text,
  name: text,
  description: optional(text),
  tags: texts,
  examples: texts,
  inputModes: texts,
  outputModes: texts,
})

/** A signature of the card (JWS, RFC 7515): header and signature in base64url. */
export const agentCardSignatureSchema = /* @__PURE__ */ z.object({
  protected: text,
  signature: text,
  header: optional(jsonObject),
})

/** The card of an agent (A2A 1.0). Names, addresses and examples are untrusted text. */
export const agentCardSchema = /* @__PURE__ */ z.object({
  name: text,
  description: optional(text),
  version: optional(text),
  supportedInterfaces: z.array(agentInterfaceSchema, 'must be a list of interfaces'),
  capabilities: optional(
    z.object({
      streaming: flag,
      pushNotifications: flag,
      extendedAgentCard: flag,
      extensions: optional(z.array(agentExtensionSchema)),
    }),
  ),
  skills: optional(z.array(agentSkillSchema)),
  provider: optional(z.object({ organization: optional(text), url: optional(text) })),
  iconUrl: optional(text),
  documentationUrl: optional(text),
  defaultInputModes: texts,
  defaultOutputModes: texts,
  securitySchemes: optional(jsonObject),
  securityRequirements: optional(z.array(jsonObject)),
  signatures: optional(z.array(agentCardSignatureSchema)),
})

/** Where an agent is reached, and how. */
export type AgentInterface = z.output<typeof agentInterfaceSchema>
/** What an agent can do. */
export type AgentSkill = z.output<typeof agentSkillSchema>
/** A signature of the card. */
export type AgentCardSignature = z.output<typeof agentCardSignatureSchema>
/** The card of an agent. */
export type AgentCard = z.output<typeof agentCardSchema>
