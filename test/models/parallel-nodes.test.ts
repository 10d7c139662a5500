import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/index.ts'
import { isJsonObject } from '../../src/base/json-object.ts'
import { createRandom } from '../support/create-random.ts'
import { eventually } from '../support/eventually.ts'
import { openModelPage } from './ask-agent.ts'
import { completions, gemini, messages, type ChatWire } from './rows/chat-wires.ts'
import { graphAnswer } from './rows/graph-models.ts'
import { serveVendor } from './vendor-server.ts'

const NAMES = ['alpha', 'beta', 'gamma'] as const
const SEEDS = [1, 2, 3]

/** What one node's model streams: every piece differs from all others. */
const piecesOf = (name: string): readonly string[] => [1, 2, 3, 4].map((number) => `${name}${number} `)

interface Feed {
  readonly live: AsyncIterable<object | string>
  send(event: object | string): void
  end(): void
}

function createFeed(): Feed {
  const { readable, writable } = new TransformStream<object | string>(undefined, { highWaterMark: 100 })
  const writer = writable.getWriter()
  return { live: readable, send: (event) => void writer.write(event), end: () => void writer.close() }
}

/** The text of the message in a step of a graph. */
function textIn(step: unknown): string {
  const [mode, pair]: readonly unknown[] = Array.isArray(step) ? step : []
  const message: unknown = mode === 'messages' && Array.isArray(pair) ? pair[0] : undefined
  const { content } = isJsonObject(message) ? message : {}
  if (typeof content === 'string') return content
  return (Array.isArray(content) ? content.filter(isJsonObject) : [])
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')
}

const RUNS: readonly (readonly [ChatWire, 'invoke' | 'stream', boolean])[] = [
  [completions, 'invoke', true],
  [completions, 'stream', true],
  [messages, 'invoke', true],
  [messages, 'invoke', false],
  [gemini, 'invoke', true],
]

describe.each(RUNS.map((run) => [run[0].name, ...run] as const))(
  'fromLangGraph with three parallel nodes, %s',
  (_, wire, how, passesConfig) => {
    it.each(SEEDS)('shows each message whole, in the order of their first words: order %i', async (seed) => {
      const feeds = NAMES.map(createFeed)
      const server = await serveVendor((ordinal) => ({ live: feeds[ordinal]?.live ?? createFeed().live }))
      let seen = ''
      const setup = {
        wire: wire.name,
        how,
        graph: 'parallel' as const,
        passesConfig,
        onStep: (step: unknown) => {
          seen += textIn(step)
        },
      }
      const { chat, answer } = openModelPage<unknown>((run) => graphAnswer(run, server.origin, {}, { setup }))
      const ended = chat.sendMessage('Go')
      await eventually(() => expect(server.asked).toHaveLength(NAMES.length))

      const random = createRandom(seed)
      const scripts = NAMES.map((name) => {
        const answered = wire.answer(wire.events({ text: piecesOf(name) }))
        return 'events' in answered ? [...answered.events] : []
      })
      const started: string[] = []
      while (scripts.some((script) => script.length > 0)) {
        const turns = NAMES.map((_, at) => at).filter((at) => (scripts[at] ?? []).length > 0)
        const at = turns[Math.floor(random() * turns.length)] ?? 0
        const event = scripts[at]?.shift() ?? {}
        feeds[at]?.send(event)
        if (scripts[at]?.length === 0) feeds[at]?.end()
        const piece = piecesOf(NAMES[at] ?? '').find((each) => JSON.stringify(event).includes(`"${each}"`))
        if (piece === undefined) continue
        // The next event follows only what the graph has streamed, so that the pieces really alternate.
        await eventually(() => expect(seen).toContain(piece))
        if (!started.includes(NAMES[at] ?? '')) started.push(NAMES[at] ?? '')
      }
      await ended
      expect([answer().status, textOf(answer())]).toEqual([
        'complete',
        started.map((name) => piecesOf(name).join('')).join('\n\n'),
      ])
    })
  },
)
