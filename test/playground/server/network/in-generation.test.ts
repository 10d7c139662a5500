import { describe, expect, it } from 'vitest'
import { packetGenerations } from '../../../../playground/server/network/network-state.ts'
import { MEANDER_ANSWER } from '../../../../playground/server/scenarios/river-prose.ts'
import { CapClient, type CapPacket } from '../../../../src/index.ts'
import type { ServiceRequestInput } from '../../../../src/index.ts'
import { streamPacketSchema } from '../../../../src/protocols/cap/schema/packet.ts'
import { framesOf, requestBody } from '../../../server/peer.ts'
import { openPlayground } from '../../open-playground.ts'

const older = packetGenerations.filter((generation) => generation !== 'G1')

/** What the client reads of a scenario's answer in the generation. */
async function read(generation: (typeof packetGenerations)[number], scenario: string): Promise<readonly CapPacket[]> {
  const playground = await openPlayground()
  await playground.network({ action: 'shape', generation })
  const client = new CapClient({ baseUrl: `${playground.origin}/cap`, maxRetries: 0 })
  const packets: CapPacket[] = []
  // The peer's builder writes exactly this shape.
  const request = requestBody({ metadata: { scenario } }) as unknown as ServiceRequestInput
  for await (const packet of client.assist(request)) packets.push(packet)
  return packets
}

describe('the generation of the packets', () => {
  // Text and end of G3 are those of G2: it differs in its errors.
  it.each(packetGenerations)('%s: every packet is of it, and the answer is whole', async (generation) => {
    const packets = await read(generation, 'plain-text')
    expect(new Set(packets.map((packet) => packet.generation))).toEqual(
      new Set([generation === 'G3' ? 'G2' : generation]),
    )
    expect(packets.map((packet) => (packet.op === 'DELTA' ? packet.p : '')).join('')).toBe(MEANDER_ANSWER)
  })

  it.each<[(typeof packetGenerations)[number], readonly string[]]>([
    ['G2', ['thought_trace', 'progress_indicator', 'tool_call', 'media_carousel', 'user_error']],
    ['G2s', ['thought_trace', 'progress_indicator', 'tool_call', 'media_carousel', 'user_error']],
    ['G4', ['THOUGHT_TRACE', 'TOOL_CALL']],
    ['G3', []],
    ['G0', []],
  ])('%s carries the events it has a form for', async (generation, expected) => {
    const types = (await read(generation, 'every-event')).flatMap((packet) =>
      packet.op === 'EVENT' ? [packet.p['type']] : [],
    )
    expect(types).toEqual(expect.arrayContaining([...expected]))
    if (expected.length < 3) expect(new Set(types)).toEqual(new Set(expected))
  })

  it.each(['G2', 'G2s', 'G3', 'G4'] as const)('%s tells a fatal error in its own form', async (generation) => {
    await expect(read(generation, 'fatal')).rejects.toMatchObject({ severity: 'FATAL' })
  })

  it('leaves an answer in one piece as it is', async () => {
    const playground = await openPlayground()
    await playground.network({ action: 'shape', generation: 'G2' })
    const response = await playground.ask({ metadata: { scenario: 'json-answer' } })
    expect(await response.json()).toMatchObject({ output: { length_km: 2850 } })
  })

  it('is G1 again after a clearing, and any other word is refused', async () => {
    const playground = await openPlayground()
    expect((await playground.network({ action: 'shape', generation: 'G4' })).shape.generation).toBe('G4')
    expect((await playground.network({ action: 'clear' })).shape).toMatchObject({
      generation: 'G1',
      replayFromStart: true,
    })
    const refused = await fetch(`${playground.origin}/__network`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"action":"shape","generation":"G9"}',
    })
    expect(refused.status).toBe(400)
    expect(older).toHaveLength(5)
  })
})

describe('a client that comes back', () => {
  /** The numbers of the packets that come on the first and the second connection, the first being cut. */
  async function numbers(replayFromStart: boolean): Promise<readonly (readonly number[])[]> {
    const playground = await openPlayground()
    await playground.network({ action: 'shape', replayFromStart })
    await playground.network({ action: 'cut', afterBytes: 2_500 })
    let lastEventId: string | undefined
    const read = async (): Promise<number[]> => {
      const seqs: number[] = []
      const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
      try {
        const response = await playground.ask({ metadata: { scenario: 'plain-text' }, headers })
        for await (const { id, data } of framesOf(response)) {
          seqs.push(streamPacketSchema.parse(JSON.parse(data)).seq)
          lastEventId = id
        }
      } catch {
        // Cut.
      }
      return seqs
    }
    return [await read(), await read()]
  }

  it('gets the answer from its start', async () => {
    const [before = [], after = []] = await numbers(true)
    expect(before.length).toBeGreaterThan(2)
    expect(after.slice(0, before.length + 1)).toEqual(Array.from({ length: before.length + 1 }, (_, at) => at + 1))
  })

  it('gets what follows the packet that it names, when the switch is off', async () => {
    const [before = [], after = []] = await numbers(false)
    expect(before.length).toBeGreaterThan(6)
    expect(after.length).toBeGreaterThan(6)
    expect([...before, ...after]).toEqual(Array.from({ length: before.length + after.length }, (_, at) => at + 1))
  })
})
