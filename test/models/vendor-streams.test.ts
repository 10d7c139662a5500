import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/index.ts'
import { createRandom } from '../support/create-random.ts'
import { openModelPage } from './ask-agent.ts'
import { createRowTools } from './rows/row-tools.ts'
import { ANTHROPIC_STREAMS } from './streams/anthropic-streams.ts'
import { OPENAI_STREAMS } from './streams/openai-streams.ts'
import { createDice, damage, type StreamEvent, type StreamSuite } from './streams/stream-suite.ts'
import { serveVendor, type VendorAnswer } from './vendor-server.ts'

/** `npm run test:models` plays this many from each of three seeds, one of them fresh. */
const MANY = process.env['MODEL_STREAMS']
const COUNT = Number(MANY ?? 150)
const SEEDS = MANY === undefined ? [1] : [1, 700_000, randomInt(1_000_000_000)]
const SUITES: readonly StreamSuite[] = [OPENAI_STREAMS, ANTHROPIC_STREAMS]

const HALF_CHARACTER = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

interface Counts {
  whole: number
  broken: number
}

describe.each(SUITES.map((suite) => [suite.helper.name, suite] as const))('%s, on generated streams', (_, suite) => {
  it.each(SEEDS)(
    'completes the whole ones and fails all others: seed %i',
    async (seed) => {
      const counts: Counts = { whole: 0, broken: 0 }
      let answers: readonly VendorAnswer[] = []
      let first = 0
      // One server for all: what it says depends on the stream that is played.
      const server = await serveVendor((ordinal) => answers[ordinal - first] ?? suite.done)
      const random = createDice(createRandom(seed))
      for (let number = 0; number < COUNT; number++) {
        const events = damage(suite.generate(random), suite, random)
        answers = [{ events }]
        first = server.asked.length
        await play(suite, events, server.origin, counts, `seed ${seed}, stream ${number}`)
      }
      // Both kinds are there.
      expect(Math.min(counts.whole, counts.broken)).toBeGreaterThan(COUNT / 5)
      if (MANY !== undefined)
        console.log(`${suite.helper.name}, seed ${seed}: ${counts.whole} whole, ${counts.broken} broken`)
    },
    1_200_000,
  )
})

async function play(
  suite: StreamSuite,
  events: readonly StreamEvent[],
  origin: string,
  counts: Counts,
  name: string,
): Promise<void> {
  const { tools, ran } = createRowTools(['send_email'])
  const { chat, answer, reported } = openModelPage<unknown>((run) => suite.helper.answer(run, origin, tools, {}))
  await chat.sendMessage('Go')
  const whole = suite.judge(events)
  counts[whole?.ends === 'complete' ? 'whole' : 'broken'] += 1
  const outcome = { status: answer().status, text: textOf(answer()), ran: [...ran].toSorted() }
  const expected =
    whole === undefined
      ? // What was shown of it is not compared: a connection may end anywhere.
        { status: 'failed', text: outcome.text, ran: [] }
      : {
          status: whole.ends,
          // A half of a character is not a text: the page gets its replacement.
          text: (whole.text + (whole.continues ? 'Done.' : '')).replaceAll(HALF_CHARACTER, '\uFFFD'),
          ran: whole.calls.toSorted(),
        }
  expect(outcome, `${name}, ${String(reported[0])}: ${JSON.stringify(events)}`).toEqual(expected)
}
