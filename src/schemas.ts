export { presentationEventSchema } from './protocols/cap/presentation/presentation-event.ts'
export { streamPacketSchema } from './protocols/cap/schema/packet.ts'
export {
  agentRequestSchema,
  clientCapabilitiesSchema,
  serviceRequestSchema,
  sessionContextSchema,
} from './protocols/cap/schema/request.ts'
export { healthCheckResponseSchema, serviceResponseSchema } from './protocols/cap/schema/response.ts'
export { streamErrorSchema } from './protocols/cap/schema/stream-error.ts'
