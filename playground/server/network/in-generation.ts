import type { CapPacket } from '../../../src/protocols/cap/read/usual-packet.ts'
import { readPacket } from '../../../src/protocols/cap/read/rare-packet.ts'
import { encodeSseFrame } from '../../../src/wire/sse-encoder.ts'
import type { PacketGeneration } from './network-state.ts'

/** Frames of G1 in the packets of another generation. What that has no form for is left out: its clients never saw it either. */
export async function* inGeneration(
  frames: AsyncIterable<string>,
  generation: PacketGeneration,
): AsyncGenerator<string, void> {
  for await (const frame of frames) {
    const data = generation === 'G1' ? undefined : dataOf(frame)
    // A comment, such as a heartbeat, is the same in all of them.
    if (data === undefined) yield frame
    else {
      const packet = WRITERS[generation](readPacket(data, 'tolerant'))
      if (packet !== undefined)
        yield encodeSseFrame({ ...(generation === 'G0' && { event: G0_TEXT }), data: JSON.stringify(packet) })
    }
  }
}

function dataOf(frame: string): string | undefined {
  const lines = frame.split('\n').filter((line) => line.startsWith('data: '))
  return lines.length === 0 ? undefined : lines.map((line) => line.slice('data: '.length)).join('\n')
}

type Written = Readonly<Record<string, unknown>> | undefined
type PacketError = Extract<CapPacket, { readonly op: 'ERROR' }>['p']

const G0_TEXT = 'ai.coreason.node.stream'

/** G3 and G4 grade their errors, and number their codes. */
const GRADES = { FATAL: 'critical', TRANSIENT: 'high', WARNING: 'low' } as const
const SERVER_ERROR = 500

const WRITERS: Readonly<Record<PacketGeneration, (packet: CapPacket) => Written>> = {
  G1: () => undefined,
  G2(packet) {
    if (packet.op === 'ERROR') return { op: 'error', p: { ...packet.p, severity: packet.p.severity.toLowerCase() } }
    return {
      op: packet.op.toLowerCase(),
      p: packet.op === 'EVENT' ? { ...packet.p, type: nameOf(packet.p) } : (packet.p ?? null),
    }
  },
  G2s(packet) {
    if (packet.op === 'DELTA') return { event: 'token', data: packet.p }
    if (packet.op === 'EVENT') return { event: nameOf(packet.p), data: packet.p['data'] ?? packet.p }
    // The end of its connection is the end of its answer.
    return packet.op === 'ERROR' ? { event: 'error', data: { ...packet.p } } : undefined
  },
  G3: strict,
  G4(packet) {
    const further = packet.op === 'EVENT' ? furtherOp(packet.p) : strict(packet)
    return further && { trace_id: null, timestamp: Date.now() / 1000, ...further }
  },
  G0: (packet) =>
    packet.op === 'DELTA'
      ? { specversion: '1.0', type: G0_TEXT, source: 'urn:capstan:playground', data: { chunk: packet.p } }
      : undefined,
}

function strict(packet: CapPacket): Written {
  if (packet.op === 'DELTA') return { op: 'delta', p: packet.p }
  if (packet.op === 'CLOSE') return { op: 'close', p: null }
  return packet.op === 'ERROR' ? { op: 'error', p: graded(packet.p) } : undefined
}

function graded({ code, message, severity }: PacketError): Written {
  return { code: SERVER_ERROR, message: `${code}: ${message}`, severity: GRADES[severity] }
}

/** What G4 has its own op for: a thought and a tool call. */
function furtherOp(event: Readonly<Record<string, unknown>>): Written {
  const { type, data } = event
  if (type === 'TOOL_CALL') return { op: 'tool_call', p: data }
  if (type !== 'THOUGHT_TRACE' || typeof data !== 'object' || data === null || !('thought' in data)) return undefined
  return { op: 'thought', p: data.thought }
}

function nameOf({ type }: Readonly<Record<string, unknown>>): string {
  return typeof type === 'string' ? type.toLowerCase() : 'event'
}
