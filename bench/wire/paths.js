// From bytes to validated packets, four ways. Each path takes a made stream and tells what it read: packets, and
// characters of text, so that no way can win by leaving something out.
import { getLines, getMessages } from '@microsoft/fetch-event-source/lib/cjs/parse.js'
import { parseJsonEventStream } from 'ai'
import { z } from 'zod'
import { toDelivery } from '../../dist/protocols/cap/cap-events.js'
import { readPacket } from '../../dist/protocols/cap/read-packet.js'
import { createSseDecoder } from '../../dist/wire/sse-decoder.js'

const LIMIT = 64_000_000

/** The packet of record, as an app of zod would write it down. */
const place = { stream_id: z.uuid(), seq: z.int(), t: z.iso.datetime({ offset: true }) }
export const packetSchema = z.discriminatedUnion('op', [
  z.object({ ...place, op: z.literal('DELTA'), p: z.string() }),
  z.object({ ...place, op: z.literal('EVENT'), p: z.record(z.string(), z.unknown()) }),
  z.object({
    ...place,
    op: z.literal('ERROR'),
    p: z.object({ code: z.string(), message: z.string(), severity: z.enum(['FATAL', 'TRANSIENT', 'WARNING']), details: z.record(z.string(), z.unknown()).optional() }),
  }),
  z.object({ ...place, op: z.literal('CLOSE'), p: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
])

function tally() {
  const total = { packets: 0, characters: 0 }
  return {
    total,
    packet({ op, p }) {
      total.packets += 1
      if (op === 'DELTA') total.characters += p.length
    },
  }
}

/** What the JSON itself costs: no frames, no checks. */
function jsonParse({ payloads }) {
  const { total, packet } = tally()
  for (const payload of payloads) packet(JSON.parse(payload))
  return total
}

/** capstan: what fetchTransport and the CAP adapter do with each chunk. */
function capstan({ chunks }) {
  const total = { packets: 0, characters: 0 }
  let frames = []
  let ordinal = 0
  const decoder = createSseDecoder({ maxFrameBytes: LIMIT, onFrame: (frame) => frames.push(frame) })
  for (const chunk of chunks) {
    frames = []
    decoder.push(chunk)
    const deliveries = []
    for (const { data } of frames) deliveries.push(toDelivery(readPacket(data, 'strict'), (ordinal += 1)))
    for (const { event } of deliveries) {
      total.packets += 1
      if (event.type === 'text') total.characters += event.text.length
    }
  }
  return total
}

function fetchEventSource({ chunks }) {
  const { total, packet } = tally()
  const onMessage = ({ data }) => {
    if (data !== '') packet(packetSchema.parse(JSON.parse(data)))
  }
  const onChunk = getLines(getMessages(() => {}, () => {}, onMessage))
  for (const chunk of chunks) onChunk(chunk)
  return total
}

async function ai({ chunks }) {
  const { total, packet } = tally()
  for await (const result of parseJsonEventStream({ stream: streamOf(chunks), schema: packetSchema })) {
    if (!result.success) throw new Error('The peer could not read a packet.', { cause: result.error })
    packet(result.value)
  }
  return total
}

function streamOf(chunks) {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      if (next === chunks.length) controller.close()
      else controller.enqueue(chunks[next])
      next += 1
    },
  })
}

/** By the name they are shown under. */
export const PATHS = {
  'JSON.parse alone': jsonParse,
  capstan,
  'fetch-event-source + zod': fetchEventSource,
  'ai + zod': ai,
}
