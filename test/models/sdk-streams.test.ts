import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { AgentRun } from '../../src/server.ts'
import { completions, gemini, messages, ollama, responses, type ChatWire } from './rows/chat-wires.ts'
import { FROM_AI_SDK } from './rows/from-ai-sdk-rows.ts'
import { FROM_LANG_GRAPH } from './rows/from-lang-graph-rows.ts'
import { generateStreams, INPUT, type GeneratedStream } from './streams/sdk-streams.ts'
import type { ModelHelper } from './rows/model-row.ts'
import { createRowTools } from './rows/row-tools.ts'
import { serveVendor, type VendorAnswer } from './vendor-server.ts'

/** `npm run test:models` plays this many from each of three seeds, one of them fresh. */
const MANY = process.env['MODEL_STREAMS']
const STREAMS = Number(MANY ?? 150)
const SEEDS = MANY === undefined ? [29] : [29, 700_000, randomInt(1_000_000_000)]

interface Played {
  readonly isComplete: boolean
  readonly text: string
  readonly ran: readonly string[]
  readonly error: unknown
}

/** Plays the stream as the first response of a model; a whole one follows for what its tools gave. */
async function play({ answer }: ModelHelper, origin: string, setup: object): Promise<Played> {
  const { tools, ran } = createRowTools(['send_email', 'date'])
  let text = ''
  try {
    for await (const output of await answer(fakeRun(), origin, tools, { setup }))
      text += typeof output === 'string' ? output : ''
    return { isComplete: true, text, ran, error: undefined }
  } catch (error) {
    return { isComplete: false, text, ran, error }
  }
}

/** What helpers and the messages of a conversation need of a run. */
function fakeRun(): AgentRun {
  const run: Partial<AgentRun> = {
    text: 'Go',
    files: [],
    history: async () => [],
    signal: new AbortController().signal,
    uuid: () => crypto.randomUUID(),
    sleep: async () => {},
    ask: () => Promise.reject(new Error('Nothing is asked here.')),
  }
  // The helpers read nothing else.
  return run as AgentRun
}

const HELPERS: readonly (readonly [ModelHelper, readonly ChatWire[], (wire: ChatWire) => object])[] = [
  [
    FROM_LANG_GRAPH,
    [completions, responses, messages, ollama, gemini],
    ({ name }) => ({ wire: name, how: 'invoke', graph: 'tools' }),
  ],
  [FROM_AI_SDK, [completions, responses, messages, gemini], ({ name }) => ({ wire: name })],
]

describe.each(HELPERS)('$name and generated streams', (helper, wires, setupOf) => {
  it.each(SEEDS)(
    `completes the whole ones and no cut one: ${STREAMS} streams of seed %i`,
    async (seed) => {
      const faults: string[] = []
      const counts = { whole: 0, cut: 0, either: 0 }
      const streams = generateStreams(wires, seed)
      let answers: readonly VendorAnswer[] = []
      let first = 0
      // One server for all: what it says depends on the stream that is played.
      const server = await serveVendor((ordinal) => answers[Math.min(ordinal - first, 1)] ?? { status: 500, body: {} })
      for (let played = 0; played < STREAMS; played++) {
        const { value: stream } = streams.next() as { readonly value: GeneratedStream }
        const { is, text } = stream.verdict
        counts[is] += 1
        const { wire, events } = stream
        answers = [wire.answer(events), wire.answer(wire.events({ text: ['Done.'] }))]
        first = server.asked.length
        const outcome = await play(helper, server.origin, setupOf(wire))
        const shown = outcome.text.replaceAll('\n\n', '').replace(/Done\.$/, '')
        const fault = [
          is === 'whole' && !outcome.isComplete && `failed: ${String(outcome.error)}`,
          is === 'cut' && outcome.isComplete && 'is complete',
          is === 'whole' && shown !== text && `shows ${shown}`,
          is === 'cut' && !text.startsWith(shown) && `shows ${shown}`,
          is === 'either' && outcome.isComplete && shown !== text && `shows ${shown}, not ${text}`,
          outcome.ran.some((call) => !call.endsWith(` ${JSON.stringify(INPUT)}`)) && `ran ${outcome.ran.join()}`,
          is === 'cut' && outcome.ran.length > 0 && `ran ${outcome.ran.join()}`,
        ].find((found) => typeof found === 'string')
        if (fault !== undefined) faults.push(`${stream.fault}: ${fault}`)
      }
      expect(faults, 'each entry is a stream, and what came of it').toEqual([])
      expect(Math.min(counts.whole, counts.cut, counts.either)).toBeGreaterThan(0)
      if (MANY !== undefined) console.log(`${helper.name}, seed ${seed}: ${JSON.stringify(counts)}`)
    },
    900_000,
  )
})
