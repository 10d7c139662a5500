import { describe, expect, it } from 'vitest'
import { readPacket } from '../../src/protocols/cap/read/rare-packet.ts'
import type { CapPacket } from '../../src/protocols/cap/read/usual-packet.ts'
import { createSseDecoder } from '../../src/wire/sse-decoder.ts'
import { loadConformance } from './conformance-data.ts'

const data = loadConformance<{ readonly entries: readonly { readonly name: string; readonly raw: string }[] }>(
  'cap-sse.json',
)

/** Event name and packet of every frame. */
function packetsOf(name: string): { event: string; id: string; packet: CapPacket }[] {
  const entry = data?.entries.find((candidate) => candidate.name === name)
  const packets: { event: string; id: string; packet: CapPacket }[] = []
  const decoder = createSseDecoder({
    maxFrameBytes: 1_000_000,
    onFrame: ({ event, id, data: text }) => packets.push({ event, id, packet: readPacket(text, 'strict') }),
  })
  decoder.push(new TextEncoder().encode(entry?.raw))
  return packets
}

const opsOf = (name: string): string[] => packetsOf(name).map(({ packet }) => packet.op)
const textOf = (name: string): string =>
  packetsOf(name)
    .map(({ packet }) => (packet.op === 'DELTA' ? packet.p : ''))
    .join('')

describe.skipIf(data === undefined)('recorded answers', () => {
  it('are read whole when they came from the generation of record', () => {
    const name = 'g1b-real-models-sse-starlette'
    expect(opsOf(name)).toEqual(['DELTA', 'DELTA', 'EVENT', 'ERROR', 'CLOSE'])
    expect(packetsOf(name).map(({ packet }) => packet.seq)).toEqual([1, 2, 3, 4, 5])
    expect(packetsOf(name).every(({ id, packet }) => packet.generation === 'G1' && packet.stream_id === id)).toBe(true)
    expect(packetsOf(name)[3]?.packet.p).toMatchObject({ severity: 'WARNING' })
    expect(textOf(name)).toContain('\n')
  })

  it('are read without event names and ids', () => {
    expect(opsOf('g1a-data-only')).toEqual(['DELTA', 'EVENT', 'CLOSE'])
    expect(packetsOf('g1a-data-only').every(({ event, id }) => event === 'message' && id === '')).toBe(true)
  })

  it('are read as CloudEvents, where one kind is text', () => {
    expect(packetsOf('g0-cloudevents').map(({ packet }) => packet.generation)).toEqual(['G0', 'G0', 'G0'])
    expect(opsOf('g0-cloudevents')).toEqual(['EVENT', 'DELTA', 'EVENT'])
  })

  it('are read with the ops only G4 has', () => {
    expect(opsOf('g4-real-AsyncSSEMultiplexer')).toEqual(['DELTA', 'EVENT', 'EVENT', 'ERROR', 'CLOSE'])
    expect(packetsOf('g4-real-AsyncSSEMultiplexer').every(({ packet }) => packet.generation === 'G4')).toBe(true)
  })
})
