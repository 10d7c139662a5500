import type { JsonObject } from '../../../base/json-object.ts'

/** The families of CAP packets (CAP section 2). G1a and G1b differ only in what an ERROR may carry. */
export type Generation = 'G0' | 'G1' | 'G2s' | 'G2' | 'G3' | 'G4'

const G1_OPS: ReadonlySet<unknown> = new Set(['DELTA', 'EVENT', 'ERROR', 'CLOSE'])
const G2_OPS: ReadonlySet<unknown> = new Set(['delta', 'event', 'error', 'close'])
const G4_OPS: ReadonlySet<unknown> = new Set([
  'thought',
  'tool_call',
  'ui_mount',
  'state_delta',
  'epistemic',
  'suspense_mount',
])
const G3_SEVERITIES: ReadonlySet<unknown> = new Set(['low', 'medium', 'high', 'critical'])

/**
 * Which generation a packet claims to be, by its own keys alone; the SSE event name says nothing
 * (CAP section 2). Undefined when it claims none. What it claims may still be malformed.
 */
export function detectGeneration(packet: JsonObject): Generation | undefined {
  const { op } = packet
  if (G1_OPS.has(op)) return 'G1'
  if (G4_OPS.has(op)) return 'G4'
  if (G2_OPS.has(op)) {
    if (typeof packet.timestamp === 'number') return 'G4'
    return op === 'error' && isG3Error(packet.p) ? 'G3' : 'G2'
  }
  if (op !== undefined) return undefined
  if (typeof packet.event === 'string' && packet.data !== undefined) return 'G2s'
  return packet.specversion === '1.0' ? 'G0' : undefined
}

function isG3Error(p: unknown): boolean {
  if (typeof p !== 'object' || p === null) return false
  // Two keys are read from an object of unknown shape; each is checked right here.
  const { code, severity } = p as { code?: unknown; severity?: unknown }
  return Number.isInteger(code) && G3_SEVERITIES.has(severity)
}
