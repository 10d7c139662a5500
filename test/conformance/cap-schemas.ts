import type * as z from 'zod/mini'
import * as capabilities from '../protocols/cap/dialects/agent-capabilities.ts'
import * as chat from '../protocols/cap/dialects/chat-message.ts'
import { cloudEventG0Schema, cloudEventG2Schema, serverSentEventSchema } from '../protocols/cap/dialects/cloud-event.ts'
import * as flat from '../protocols/cap/dialects/flat-event.ts'
import { identitySchema } from '../../src/protocols/cap/schema/service-request-g2.ts'
import * as blocks from '../protocols/cap/dialects/presentation-block.ts'
import * as eventG2 from '../protocols/cap/dialects/presentation-event-g2.ts'
import * as older from '../protocols/cap/dialects/older-service-request.ts'
import * as requestG2 from '../../src/protocols/cap/schema/service-request-g2.ts'
import { streamPacketG1aSchema } from '../protocols/cap/dialects/stream-packet-g1a.ts'
import { streamPacketG2Schema, streamPacketG2sSchema } from '../protocols/cap/dialects/stream-packet-g2.ts'
import { streamPacketG3Schema, streamPacketG4Schema } from '../protocols/cap/dialects/stream-packet-g4.ts'
import { streamErrorSchema, streamPacketSchema } from '../../src/protocols/cap/schema/packet.ts'
import * as eventG1 from '../../src/protocols/cap/presentation/presentation-event.ts'
import { agentRequestSchema, serviceRequestSchema } from '../../src/protocols/cap/schema/request.ts'
import { healthCheckResponseSchema, serviceResponseSchema } from '../../src/protocols/cap/schema/response.ts'

type Schema = z.ZodMiniType

/** The packet schema of every generation that has one. */
export const packetSchemas: Readonly<Record<string, Schema>> = {
  G1a: streamPacketG1aSchema,
  G1b: streamPacketSchema,
  G2s: streamPacketG2sSchema,
  G2: streamPacketG2Schema,
  G2last: streamPacketG2Schema,
  G3: streamPacketG3Schema,
  G4: streamPacketG4Schema,
}

/** Models that did not change between the versions the data comes from, or whose generation says it all. */
const byModel: Readonly<Record<string, Schema | Readonly<Record<string, Schema>>>> = {
  StreamPacket: packetSchemas,
  StreamError: streamErrorSchema,
  HealthCheckResponse: healthCheckResponseSchema,
  ServiceResponse: serviceResponseSchema,
  ServiceRequest: { G1a: serviceRequestSchema, G1b: serviceRequestSchema, G2s: older.serviceRequestLooseSchema },
  AgentRequest: { G0: agentRequestSchema, G1a: agentRequestSchema, G1b: agentRequestSchema },
  SessionContext: { G2: requestG2.sessionContextG2Schema },
  Identity: identitySchema,
  PresentationEvent: { G1a: eventG1.presentationEventSchema, G1b: eventG1.presentationEventSchema },
  CitationItem: { G1a: eventG1.citationItemSchema, G2: eventG2.citationItemG2Schema },
  CitationBlock: { G1a: eventG1.citationBlockSchema, G2: eventG2.citationBlockG2Schema },
  ProgressUpdate: { G2: eventG2.progressUpdateG2Schema },
  MediaItem: { G1a: eventG1.mediaItemSchema, G2: eventG2.mediaItemG2Schema },
  MediaCarousel: { G1a: eventG1.mediaCarouselSchema, G2: eventG2.mediaCarouselG2Schema },
  ArtifactEvent: flat.artifactEventSchema,
  UserErrorEvent: flat.userErrorEventSchema,
  DataBlock: blocks.dataBlockSchema,
  MarkdownBlock: blocks.markdownBlockSchema,
  UserErrorBlock: blocks.userErrorBlockSchema,
  ChatMessage: { G1b: chat.chatMessageG1Schema },
  AttachedFile: chat.attachedFileSchema,
  ContentPart: chat.contentPartSchema,
  MultiModalInput: chat.multiModalInputSchema,
  CloudEvent: { G0: cloudEventG0Schema, G1a: cloudEventG0Schema, G2: cloudEventG2Schema },
  ServerSentEvent: serverSentEventSchema,
}

/** Models that changed inside G2, by the revision that `meta.model_versions` names. */
const byRevision: Readonly<Record<string, Schema>> = {
  'AgentCapabilities 9c34983c': capabilities.agentCapabilitiesV16Schema,
  'AgentCapabilities a74e9221': capabilities.agentCapabilitiesV18Schema,
  'AgentRequest bcffbc93': older.agentRequestV17Schema,
  'AgentRequest ae5b84c8': older.agentRequestV17Schema,
  'AgentRequest 40eaa4bc': requestG2.agentRequestV18Schema,
  'AgentRequest c706c8af': requestG2.agentRequestV19Schema,
  'ServiceRequest 9c34983c': older.serviceRequestLooseSchema,
  'ServiceRequest bcffbc93': older.serviceRequestV17Schema,
  'ServiceRequest ae5b84c8': older.serviceRequestV17Schema,
  'ServiceRequest 40eaa4bc': older.serviceRequestV18Schema,
  'ServiceRequest c706c8af': requestG2.serviceRequestV19Schema,
  'ServiceRequest 9be8f814': requestG2.serviceRequestV19Schema,
  'ChatMessage 924ac089': chat.chatMessageG2Schema,
  'ChatMessage 9be8f814': chat.chatMessageG2Schema,
  'CitationEvent 924ac089': flat.citationEventSchema,
  'PresentationEvent a74e9221': eventG2.presentationEventG2Schema,
  'PresentationEvent 9be8f814': eventG2.presentationEventG2Schema,
}

/** The strict schema an entry is judged by. Throws when there is none: no entry goes unjudged. */
export function schemaFor(
  entry: { readonly name: string; readonly model: string; readonly gen: string },
  revision: string | undefined,
): Schema {
  const found = byRevision[`${entry.model} ${revision}`] ?? byModel[entry.model]
  const schema = found !== undefined && 'safeParse' in found ? (found as Schema) : found?.[entry.gen] // every schema has safeParse, no map does
  if (schema === undefined) throw new Error(`No schema for ${entry.model} of ${entry.gen} (${entry.name})`)
  return schema
}
