import { beforeEach, describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import type { AgentEvent } from '../../src/seam/agent-event.ts'
import type { CommandResult } from '../../src/seam/command.ts'
import type { Delivery } from '../../src/seam/protocol.ts'
import type { AgentClient, Session } from '../../src/session/agent-client.ts'
import type { Ending } from '../../src/session/connection.ts'
import { openRun } from '../../src/session/session.ts'
import type { ResumePoint } from '../../src/session/resume-point.ts'
import { createResumePoint } from '../../src/session/resume-point.ts'
import type { SharedSession } from '../../src/session/shared-session.ts'
import { createSharedSession } from '../../src/session/shared-session.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, failure } from '../support/scripted-peer.ts'

/** What the agent of these tests says: events for one run. */
interface Said {
  readonly to: string
  readonly events: readonly AgentEvent[]
}

interface Run {
  readonly session: Session
  readonly text: string
  readonly phases: readonly string[]
  readonly endings: readonly Ending[]
  readonly resumePoint: ResumePoint
}

const IDLE_MS = 10_000
let environment: ManualEnvironment
let peer: ScriptedPeer
let shared: SharedSession<Said>
let client: AgentClient<string, Said>
let left: string[]
let idles: number
let told: (command: { readonly type: string; readonly requestId: string }) => CommandResult | Promise<CommandResult>

beforeEach(() => {
  environment = createManualEnvironment()
  left = []
  idles = 0
  told = () => ({ result: 'accepted' })
  peer = createScriptedPeer({ canAct: true, onCommand: (command) => told(command) })
  const settings = { retry: backoff({ maxAttempts: 2, baseMs: 500 }), timeoutMs: 60_000, environment }
  const own: AgentClient<string, Said> = {
    ...settings,
    // The peer carries whatever it is given.
    protocol: peer.protocol as AgentClient<string, Said>['protocol'],
    limits: { streams: Infinity, parts: Infinity, warnings: Infinity, bytes: Infinity },
    createRequest: () => '',
  }
  shared = createSharedSession<string, Said>({
    client: own,
    request: '',
    requestId: 'shared',
    idleMs: IDLE_MS,
    deal: ({ to, events }) => [{ requestId: to, delivery: { events, progress: true, cursor: { streamId: to } } }],
    prepare: ({ requestId }) => ({ run: requestId }),
    handleOf: (requestId) => ({ run: requestId, read: true }),
    onLeft: (requestId) => left.push(requestId),
    onConnection() {},
    onIdle: () => void (idles += 1),
  })
  client = { ...own, openRun: (options) => shared.open(options) }
})

function open(requestId: string, onBatch?: () => Promise<void>): Run {
  const phases: string[] = []
  const endings: Ending[] = []
  const resumePoint = createResumePoint()
  let text = ''
  const session = openRun({
    client,
    request: requestId,
    requestId,
    resumePoint,
    onEvents(events) {
      for (const { event } of events) if (event.type === 'text') text += event.text
      return onBatch?.()
    },
    onConnection: ({ phase }) => phases.push(phase),
    onEnded: (ending) => endings.push(ending),
  })
  session.start()
  return {
    session,
    phases,
    endings,
    resumePoint,
    get text() {
      return text
    },
  }
}

/** A message as the connection carries it: without a cursor, so that no stream can end the connection. */
function say(to: string, ...events: AgentEvent[]): void {
  const source: Said = { to, events }
  const delivery: Delivery = { event: { type: 'text', streamId: '', text: '' }, progress: true, source }
  peer.connection.batch(delivery)
}

const text = (streamId: string, words: string): AgentEvent => ({ type: 'text', streamId, text: words })
const begun = (): string[] => peer.commands.flatMap(({ type, requestId }) => (type === 'begin' ? [requestId] : []))

async function opened(): Promise<void> {
  await settle()
  peer.connection.alive()
  await settle()
}

describe('runs on a shared connection', () => {
  it('use one connection, are begun on it, and each gets what is dealt to it', async () => {
    const a = open('a')
    const b = open('b')
    await opened()
    expect([peer.connections.length, begun()]).toEqual([1, ['a', 'b']])
    say('a', text('a', 'A1 '))
    say('b', text('b', 'B1 '))
    say('a', text('a', 'A2 '))
    say('c', text('c', 'nobody '))
    await settle()
    expect([a.text, b.text]).toEqual(['A1 A2 ', 'B1 '])
    expect(a.session.connection.phase).toBe('streaming')
    expect(a.resumePoint.handle).toEqual({ run: 'a', read: true })
  })

  it('show that they connect until the agent has named them', async () => {
    told = () => new Promise(() => {})
    const a = open('a')
    await opened()
    expect(a.session.connection.phase).toBe('connecting')
    say('a', { type: 'run-started', runId: '7' })
    await settle()
    expect(a.session.connection.phase).toBe('streaming')
    expect([...new Set(a.phases)]).toEqual(['connecting', 'streaming'])
  })

  it('end each for itself: the connection stays for the others', async () => {
    const a = open('a')
    const b = open('b')
    await opened()
    say('a', text('a', 'A.'), { type: 'stream-closed', streamId: 'a' })
    await settle()
    expect(a.endings).toMatchObject([{ type: 'finished' }])
    expect(left).toEqual(['a'])
    say('b', text('b', 'B.'))
    await settle()
    expect([b.text, b.endings, peer.connection.aborted]).toEqual(['B.', [], false])
  })

  it('fail each for itself when the agent refuses to begin one', async () => {
    told = ({ requestId }) =>
      requestId === 'a'
        ? { result: 'invalid', errors: [{ path: '/x', message: 'is missing' }] }
        : { result: 'accepted' }
    const a = open('a')
    const b = open('b')
    await opened()
    expect(a.endings).toMatchObject([{ type: 'failed', error: { code: 'invalid_request' } }])
    expect(a.endings[0]).toMatchObject({ error: { message: expect.stringContaining('/x is missing') } })
    expect(b.session.connection.phase).toBe('streaming')
  })
})

describe('a connection that breaks', () => {
  it('is followed by one for all runs, on which those are begun again that the agent has not named', async () => {
    const a = open('a')
    const b = open('b')
    await opened()
    say('a', { type: 'run-started', runId: '1' })
    told = () => new Promise(() => {})
    await settle()
    peer.connection.fail(failure())
    await settle()
    expect([a.session.connection.phase, b.session.connection.phase]).toEqual(['waiting', 'waiting'])
    await environment.clock.advance(1_000)
    await opened()
    expect(peer.connections.length).toBe(2)
    // Both were accepted before: by their name, or by the answer to the command.
    expect(begun()).toEqual(['a', 'b'])
    expect(a.session.connection.phase).toBe('streaming')
  })

  it('begins a run again whose beginning was on its way', async () => {
    told = () => new Promise(() => {})
    open('a')
    await opened()
    peer.connection.fail(failure())
    await environment.clock.advance(1_000)
    await opened()
    expect(begun()).toEqual(['a', 'a'])
  })

  it('fails all runs when attempts are used up, and is not opened again by those that are left', async () => {
    const runs = ['a', 'b', 'c'].map((id) => open(id))
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await settle()
      peer.connection.fail(failure())
      await environment.clock.advance(60_000)
    }
    await settle()
    expect(runs.map(({ endings }) => endings.length)).toEqual([1, 1, 1])
    expect([peer.connections.length, shared.connection.phase]).toEqual([3, 'failed'])
    await environment.clock.advance(600_000)
    expect([peer.connections.length, environment.clock.pending]).toEqual([3, 0])
    // Whoever wants it again opens it.
    runs[0]?.session.resume()
    await settle()
    expect(peer.connections.length).toBe(4)
  })
})

describe('a connection that nobody uses', () => {
  it('closes after a while, and opens again with the next run', async () => {
    const a = open('a')
    await opened()
    a.session.disconnect()
    await environment.clock.advance(IDLE_MS - 1)
    expect([peer.connection.aborted, idles]).toEqual([false, 0])
    await environment.clock.advance(1)
    expect([peer.connection.aborted, idles, environment.clock.pending]).toEqual([true, 1, 0])
    a.session.resume()
    await opened()
    expect([peer.connections.length, begun()]).toEqual([2, ['a', 'a']])
  })

  it('stays open while it is held, once for each hold', async () => {
    const release = shared.hold()
    const other = shared.hold()
    await opened()
    release()
    release()
    await environment.clock.advance(IDLE_MS * 2)
    expect([peer.connections.length, peer.connection.aborted]).toEqual([1, false])
    other()
    await environment.clock.advance(IDLE_MS)
    expect(peer.connection.aborted).toBe(true)
  })

  it('is not opened again by a hold that is released while another one is there', async () => {
    const releases = [shared.hold(), shared.hold()]
    await opened()
    shared.close()
    expect(shared.connection.phase).toBe('paused')
    releases[0]?.()
    await settle()
    expect([peer.connections.length, shared.connection.phase]).toEqual([1, 'paused'])
  })
})

describe('a run', () => {
  it('that is left hears nothing, and is begun again when it is resumed', async () => {
    const a = open('a')
    open('b')
    await opened()
    a.session.disconnect()
    say('a', text('a', 'missed '))
    await settle()
    expect([a.text, a.session.connection.phase, left]).toEqual(['', 'paused', ['a']])
    a.session.resume()
    await settle()
    expect(begun()).toEqual(['a', 'b', 'a'])
    say('a', text('a', 'heard'))
    await settle()
    expect([a.text, peer.connections.length]).toEqual(['heard', 1])
  })

  it('that is stopped ends at once, tells the agent, and leaves the others alone', async () => {
    const a = open('a')
    const b = open('b')
    await opened()
    const stopped = a.session.stop()
    expect(a.endings).toEqual([{ type: 'stopped' }])
    expect(await stopped).toBe('cancelled')
    expect(peer.commands.at(-1)).toMatchObject({ type: 'cancel', requestId: 'a' })
    say('b', text('b', 'on'))
    await settle()
    expect(b.text).toBe('on')
  })

  it('whose reader is slow is buffered, and does not hold up the others', async () => {
    let free = (): void => {}
    const slow = open(
      'a',
      () =>
        new Promise((resolve) => {
          free = resolve
        }),
    )
    const fast = open('b')
    await opened()
    for (const word of ['1 ', '2 ', '3 ']) {
      say('a', text('a', word))
      say('b', text('b', word))
    }
    await settle()
    expect([slow.text, fast.text]).toEqual(['1 ', '1 2 3 '])
    for (let turn = 0; turn < 3; turn += 1) {
      free()
      await settle()
    }
    expect(slow.text).toBe('1 2 3 ')
  })

  it('that joins while the connection is open is begun on it', async () => {
    open('a')
    await opened()
    const late = open('b')
    await settle()
    expect([late.session.connection.phase, peer.connections.length, begun()]).toEqual(['streaming', 1, ['a', 'b']])
  })

  it('is told about what could not be read, as it may be its own', async () => {
    const warned: AgentEvent[] = []
    openRun({
      client,
      request: 'a',
      requestId: 'a',
      onEvents: (events) => void warned.push(...events.map(({ event }) => event)),
      onEnded() {},
    }).start()
    await opened()
    peer.connection.batch({ event: { type: 'warning', error: failure({ severity: 'WARNING' }) }, progress: false })
    await settle()
    expect(warned).toMatchObject([{ type: 'warning' }])
  })
})
