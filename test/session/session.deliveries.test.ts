import { beforeEach, describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import { AgentError } from '../../src/base/agent-error.ts'
import type { AgentEvent } from '../../src/seam/agent-event.ts'
import type { AgentProtocol, Batch, Delivery, Opening } from '../../src/seam/protocol.ts'
import type { ResumePoint } from '../../src/session/resume-point.ts'
import { createResumePoint } from '../../src/session/resume-point.ts'
import { createSession } from '../../src/session/session.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'

const text = (words: string): AgentEvent => ({ type: 'text', streamId: 's1', text: words })
const named = (id: string, event: AgentEvent): Delivery => ({ event, cursor: { streamId: 's1', id }, progress: true })

let environment: ManualEnvironment
let openings: Opening<string>[]
let resumePoint: ResumePoint

beforeEach(() => {
  environment = createManualEnvironment()
  openings = []
  resumePoint = createResumePoint()
})

/** Plays one list of batches for each connection. */
function play(...connections: readonly ((opening: Opening<string>) => AsyncIterable<Batch>)[]): {
  readonly seen: AgentEvent[]
  readonly endings: string[]
} {
  const protocol: AgentProtocol<string> = {
    name: 'played',
    open(opening) {
      openings.push(opening)
      const connection = connections[openings.length - 1]
      if (connection === undefined) throw new Error('No more connections were planned.')
      return connection(opening)
    },
    createError: (init) => new AgentError(init),
  }
  const seen: AgentEvent[] = []
  const endings: string[] = []
  const session = createSession({
    client: {
      protocol,
      retry: backoff({ maxAttempts: 3 }),
      timeoutMs: 60_000,
      environment,
      createRequest: ({ text: words }) => words,
    },
    request: 'Why?',
    requestId: 'r1',
    resumePoint,
    onEvents: (events) => void seen.push(...events.map(({ event }) => event)),
    onEnded: (ending) => void endings.push(ending.type === 'finished' ? `finished ${ending.outcome}` : ending.type),
  })
  session.start()
  return { seen, endings }
}

async function* batches(...deliveries: readonly (readonly Delivery[])[]): AsyncGenerator<Batch> {
  yield { deliveries: [] }
  for (const each of deliveries) yield { deliveries: each }
}

async function reconnect(): Promise<void> {
  await environment.clock.advance(10_000)
  await settle()
}

describe('a packet with several events', () => {
  const both: Delivery = {
    events: [text('So '), { type: 'usage', streamId: 's1', usage: { totalTokens: 3 } }, text('it goes.')],
    cursor: { streamId: 's1', seq: 1 },
    progress: true,
  }
  const closing: Delivery = {
    event: { type: 'stream-closed', streamId: 's1' },
    cursor: { streamId: 's1', seq: 2 },
    progress: true,
  }

  it('is passed on whole, and once', async () => {
    const { seen, endings } = play(
      () => batches([both]),
      () => batches([both], [closing]),
    )
    await settle()
    await reconnect()
    expect(seen).toEqual([...(both.events ?? []), closing.event])
    expect(endings).toEqual(['finished undefined'])
  })

  it('that closes its stream among them ends the run', async () => {
    const { endings } = play(() =>
      batches([
        {
          events: [text('So.'), { type: 'stream-closed', streamId: 's1', outcome: 'awaiting-input' }],
          cursor: { streamId: 's1', seq: 1 },
          progress: true,
        },
      ]),
    )
    await settle()
    expect(endings).toEqual(['finished awaiting-input'])
  })

  it('that has none counts as read', async () => {
    const empty: Delivery = { events: [], cursor: { streamId: 's1', seq: 1 }, progress: false }
    const { seen } = play(() => batches([empty], [closing]))
    await settle()
    expect(seen).toEqual([closing.event])
  })
})

describe('frames with names in place of numbers', () => {
  it('are passed on once, however often they are repeated', async () => {
    const { seen } = play(
      () => batches([named('a', text('One ')), named('b', text('two '))]),
      () => batches([named('a', text('One ')), named('b', text('two ')), named('c', text('three'))]),
    )
    await settle()
    await reconnect()
    expect(seen).toEqual([text('One '), text('two '), text('three')])
  })

  it('give the next connection the name that came last', async () => {
    play(
      () => batches([named('a', text('One '))]),
      () => batches([named('b', { type: 'run-finished' })]),
    )
    await settle()
    await reconnect()
    expect(openings[1]?.cursors).toEqual([{ streamId: 's1', seq: undefined, id: 'a' }])
  })
})

describe('what a protocol remembers of a run', () => {
  it('is given back to the next connection, as it was after the last batch', async () => {
    play(
      async function* () {
        yield { deliveries: [], handle: { taskId: 't1' } }
        yield { deliveries: [named('a', text('One '))] }
        yield { deliveries: [named('b', text('two'))], handle: { taskId: 't1', contextId: 'c1' } }
      },
      () => batches([named('c', { type: 'run-finished' })]),
    )
    await settle()
    expect(resumePoint.handle).toEqual({ taskId: 't1', contextId: 'c1' })
    await reconnect()
    expect(openings[1]?.handle).toEqual({ taskId: 't1', contextId: 'c1' })
  })
})

describe('a protocol that waits', () => {
  it('waits on the clock of the session, and no longer than its connection lives', async () => {
    const waited: string[] = []
    const { endings } = play(async function* (opening) {
      yield { deliveries: [] }
      await opening.wait(5_000)
      waited.push(`at ${environment.clock.now()}`)
      yield { deliveries: [named('a', { type: 'run-finished' })] }
      await opening.wait(1_000_000)
      waited.push(opening.signal.aborted ? 'aborted' : 'still open')
    })
    await settle()
    expect(waited).toEqual([])
    const begun = environment.clock.now()
    await environment.clock.advance(5_000)
    await settle()
    expect(waited[0]).toBe(`at ${begun + 5_000}`)
    expect(endings).toEqual(['finished undefined'])
  })
})

describe('a run that was begun elsewhere', () => {
  it('says so to the protocol on its first attempt, which may not be the first', () => {
    resumePoint = { ...createResumePoint(), restored: true }
    play(async function* () {})
    expect(openings).toMatchObject([{ attempt: 0, restored: true }])
  })
})
