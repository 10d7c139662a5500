export { presentationEventSchema } from './protocols/cap/presentation/presentation-event.ts'
export { streamPacketSchema, streamErrorSchema } from './protocols/cap/schema/packet.ts'
export { agentRequestSchema, serviceRequestSchema } from './protocols/cap/schema/request.ts'
export { healthCheckResponseSchema, serviceResponseSchema } from './protocols/cap/schema/response.ts'
export { agentCardSchema as a2aAgentCardSchema } from './protocols/a2a/schemas.ts'
export { messageSchema as a2aMessageSchema } from './protocols/a2a/schemas.ts'
export {
  streamResponseSchema as a2aStreamResponseSchema,
  taskSchema as a2aTaskSchema,
} from './protocols/a2a/schemas.ts'
export {
  envelopeSchema as arcpEnvelopeSchema,
  messageSchema as arcpMessageSchema,
} from './protocols/arcp/schema/envelope.ts'
export { payloadSchemas as arcpPayloadSchemas } from './protocols/arcp/schema/payloads.ts'
export {
  eventSchemas as arcpDialectEventSchemas,
  frameSchema as arcpDialectMessageSchema,
  framePayloadSchemas as arcpDialectPayloadSchemas,
} from './protocols/arcp/dialect-1-1/frame/frame-schemas.ts'
