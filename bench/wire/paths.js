// From bytes to packets, by capstan and by what others would use. Each path takes a made stream and tells what it read:
// packets, and characters of text, so that no way can win by leaving something out.
import { getLines, getMessages } from '@microsoft/fetch-event-source/lib/cjs/parse.js'
import { parseJsonEventStream } from 'ai'
import { createParser } from 'eventsource-parser'
import { Stream } from 'openai/core/streaming'
import { z } from 'zod'
import { CapClient, createSession } from '../../dist/index.js'

import { readRare } from '../../dist/protocols/cap/read/rare-packet.js'
import { parsePacket, readPlainDelta, readUsual, usualEvent } from '../../dist/protocols/cap/read/usual-packet.js'
import { toEvent } from '../../dist/protocols/cap/rare-packets.js'
import { createSseDecoder, frameBytes } from '../../dist/wire/sse-decoder.js'

const LIMIT = 64_000_000

/** The packet of record, as an app of zod would write it down. */
const place = { stream_id: z.uuid(), seq: z.int(), t: z.iso.datetime({ offset: true }) }
export const packetSchema = z.discriminatedUnion('op', [
  z.object({ ...place, op: z.literal('DELTA'), p: z.string() }),
  z.object({ ...place, op: z.literal('EVENT'), p: z.record(z.string(), z.unknown()) }),
  z.object({
    ...place,
    op: z.literal('ERROR'),
    p: z.object({
      code: z.string(),
      message: z.string(),
      severity: z.enum(['FATAL', 'TRANSIENT', 'WARNING']),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
  z.object({ ...place, op: z.literal('CLOSE'), p: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
])

const REQUEST_ID = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b10'
const SESSION_ID = '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20'
const REQUEST = {
  request_id: REQUEST_ID,
  context: {
    session_id: SESSION_ID,
    agent_id: '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001',
    user: { user_id: 'u-77', tier: 'free', locale: 'en' },
    trace: { trace_id: '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c002', span_id: '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c003' },
    permissions: [],
    created_at: '2026-03-01T08:15:00Z',
  },
  payload: { session_id: SESSION_ID, payload: { query: 'Why do rivers meander?' }, metadata: {} },
}

function tally() {
  const total = { packets: 0, characters: 0 }
  return {
    total,
    packet({ op, p }) {
      total.packets += 1
      if (op === 'DELTA') total.characters += p.length
    },
    event(event) {
      total.packets += 1
      if (event.type === 'text') total.characters += event.text.length
    },
  }
}

/** What the JSON itself costs: no frames, no checks. */
function jsonParse({ payloads }) {
  const { total, packet } = tally()
  for (const payload of payloads) packet(JSON.parse(payload))
  return total
}

/** What the bodies themselves cost: nothing is made of the bytes. */
async function bodies({ runs, counts, text }) {
  for (const run of runs) {
    const reader = answer(run).body.getReader()
    while (!(await reader.read()).done);
  }
  return { packets: counts.DELTA + counts.EVENT + counts.CLOSE, characters: text.length }
}

/** What fetchTransport and the CAP adapter do with each chunk. */
function inner({ runs }) {
  const { total, event } = tally()
  for (const run of runs) {
    let frames = []
    let ordinal = 0
    const decoder = createSseDecoder({ maxFrameBytes: LIMIT, onFrame: (frame) => frames.push(frame) })
    for (const chunk of run) {
      frames = []
      decoder.push(chunk)
      const deliveries = []
      for (const frame of frames) {
        ordinal += 1
        let usual = readPlainDelta(frame.data)
        let packet = usual
        if (packet === undefined) {
          const sent = parsePacket(frame.data)
          usual = readUsual(sent)
          packet = usual ?? readRare(sent, 'strict', frame.data)
        }
        const streamId = packet.stream_id ?? 'stream'
        const event = usual === undefined ? toEvent(packet, { streamId, ordinal }) : usualEvent(usual, streamId)
        const cursor = { streamId, seq: packet.seq }
        deliveries.push({ event, cursor, progress: true, source: packet, bytes: frameBytes(frame) })
      }
      for (const delivery of deliveries) event(delivery.event)
    }
  }
  return total
}

/** The bodies of all runs by way of fetch, as the protocol gives them to a session. */
async function stream({ runs }) {
  const { total, event } = tally()
  const next = answers(runs)
  const client = createClient(next)
  const { signal } = new AbortController()
  for (const _ of runs) {
    const opening = { request: REQUEST, requestId: REQUEST_ID, attempt: 0, cursors: [], signal }
    for await (const { deliveries } of client.protocol.open(opening))
      for (const delivery of deliveries) event(delivery.event)
  }
  return total
}

/** A session for each run: deduplication, limits, timers and retries included. */
async function session({ runs }) {
  const { total, event } = tally()
  const client = createClient(answers(runs))
  for (const _ of runs) {
    await new Promise((resolve, reject) => {
      createSession({
        client,
        request: REQUEST,
        requestId: REQUEST_ID,
        onEvents(events) {
          for (const each of events) event(each.event)
        },
        onEnded: (ending) => (ending.type === 'finished' ? resolve() : reject(new Error('The run failed.', ending))),
      }).start()
    })
  }
  return total
}

async function assist({ runs }) {
  const { total, packet } = tally()
  const client = createClient(answers(runs))
  for (const _ of runs) for await (const each of client.assist(REQUEST)) packet(each)
  return total
}

function createClient(next) {
  return new CapClient({ baseUrl: 'https://agent.example', fetch: async () => next(), maxFrameBytes: LIMIT })
}

function eventsourceParser({ runs }) {
  const { total, packet } = tally()
  for (const run of runs) {
    const parser = createParser({ onEvent: ({ data }) => packet(packetSchema.parse(JSON.parse(data))) })
    const utf8 = new TextDecoder()
    for (const chunk of run) parser.feed(utf8.decode(chunk, { stream: true }))
  }
  return total
}

function fetchEventSource({ chunks }) {
  const { total, packet } = tally()
  const onMessage = ({ data }) => {
    if (data !== '') packet(packetSchema.parse(JSON.parse(data)))
  }
  const onChunk = getLines(
    getMessages(
      () => {},
      () => {},
      onMessage,
    ),
  )
  for (const chunk of chunks) onChunk(chunk)
  return total
}

/** No schema: its packets are whatever the JSON was. */
async function openai({ runs }) {
  const { total, packet } = tally()
  for (const run of runs)
    for await (const each of Stream.fromSSEResponse(answer(run), new AbortController())) packet(each)
  return total
}

async function ai({ runs }) {
  const { total, packet } = tally()
  for (const run of runs) {
    for await (const result of parseJsonEventStream({ stream: answer(run).body, schema: packetSchema })) {
      if (!result.success) throw new Error('The peer could not read a packet.', { cause: result.error })
      packet(result.value)
    }
  }
  return total
}

/** One answer after the other. */
function answers(runs) {
  let next = 0
  return () => answer(runs[next++])
}

function answer(chunks) {
  let next = 0
  const body = new ReadableStream({
    pull(controller) {
      if (next === chunks.length) controller.close()
      else controller.enqueue(chunks[next])
      next += 1
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** By the name they are shown under. */
export const PATHS = {
  'JSON.parse alone': jsonParse,
  'bodies alone': bodies,
  'capstan: inner': inner,
  'capstan: stream': stream,
  'capstan: session': session,
  'capstan: assist()': assist,
  'eventsource-parser + zod': eventsourceParser,
  'fetch-event-source + zod': fetchEventSource,
  'openai iterator': openai,
  'ai + zod': ai,
}
