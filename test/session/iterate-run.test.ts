import { createHook } from 'node:async_hooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import type { AgentEvent } from '../../src/seam/agent-event.ts'
import type { IterateRunOptions } from '../../src/session/iterate-run.ts'
import { iterateRun } from '../../src/session/iterate-run.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, delivery, failure, textDelivery } from '../support/scripted-peer.ts'

type Options = Partial<IterateRunOptions<string, unknown, string>>

let environment: ManualEnvironment
let peer: ScriptedPeer
/** Chunks that were read off the connections. */
let chunks: number
let timers: number
let listeners: number
let run: AsyncIterableIterator<string>

const textOf = ({ event }: { readonly event: AgentEvent }): string | undefined =>
  event.type === 'text' ? event.text : undefined

function iterate(options: Options = {}): AsyncIterableIterator<string> {
  const { clock, visibility } = environment
  run = iterateRun<string, unknown, string>({
    client: {
      protocol: peer.protocol,
      retry: backoff({ maxAttempts: 3, baseMs: 500 }),
      timeoutMs: 60_000,
      environment: {
        ...environment,
        clock: {
          ...clock,
          after(ms, callback) {
            timers += 1
            return clock.after(ms, callback)
          },
        },
        visibility: {
          ...visibility,
          subscribe(listener) {
            listeners += 1
            return visibility.subscribe(listener)
          },
        },
      },
      observer: ({ type }) => {
        if (type === 'batch') chunks += 1
      },
      createRequest: ({ text: asked }) => asked,
    },
    requestId: 'r1',
    createRequest: () => 'question',
    read: textOf,
    ...options,
  })
  return run
}

const words = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => textDelivery(from + index, `w${from + index}`))
const item = (value: string) => ({ done: false, value })
const DONE = { done: true, value: undefined }

/** Whether a promise is still pending once everything has settled. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true
  const settled = (): void => {
    pending = false
  }
  promise.then(settled, settled)
  await settle()
  return pending
}

beforeEach(() => {
  environment = createManualEnvironment()
  environment.chance = 0.5
  peer = createScriptedPeer()
  chunks = timers = listeners = 0
})

afterEach(async () => {
  await run.return?.()
  await settle()
  // The rest of a response is read for so long.
  await environment.clock.advance(100)
  expect(environment.clock.pending, 'timers left').toBe(0)
  expect(environment.listeners, 'listeners left').toBe(0)
})

describe('calls of next', () => {
  it('that were made before anything came get one item each, in order', async () => {
    iterate()
    const calls = [run.next(), run.next(), run.next(), run.next()]
    await settle()
    peer.connection.batch(...words(1, 3))
    expect(await Promise.all(calls.slice(0, 3))).toEqual([item('w1'), item('w2'), item('w3')])
    expect(await isPending(calls[3] ?? Promise.resolve())).toBe(true)
    peer.connection.say(4, 'w4')
    expect(await calls[3]).toEqual(item('w4'))
  })

  it('send nothing before the first of them, and one request for all', async () => {
    iterate()
    await settle()
    expect(peer.connections).toHaveLength(0)
    void run.next()
    void run.next()
    await settle()
    expect(peer.connections).toHaveLength(1)
  })

  it('that wait when the run ends are done, and so are all later ones', async () => {
    iterate()
    const calls = [run.next(), run.next(), run.next()]
    await settle()
    peer.connection.say(1, 'w1')
    peer.connection.close(2)
    expect(await Promise.all(calls)).toEqual([item('w1'), DONE, DONE])
    expect(await run.next()).toEqual(DONE)
  })

  it('that wait when the run fails: the oldest gets the error, the others are done', async () => {
    iterate()
    const calls = [run.next(), run.next()]
    await settle()
    peer.connection.fail(failure({ severity: 'FATAL', code: 'agent_error' }))
    await expect(calls[0]).rejects.toMatchObject({ code: 'agent_error', severity: 'FATAL' })
    expect(await calls[1]).toEqual(DONE)
    expect(await run.next()).toEqual(DONE)
  })

  it('get every item that came before the error, and then the error', async () => {
    iterate()
    const first = run.next()
    await settle()
    peer.connection.batch(...words(1, 2))
    expect(await first).toEqual(item('w1'))
    peer.connection.fail(failure({ severity: 'FATAL' }))
    await settle()
    expect(await run.next()).toEqual(item('w2'))
    await expect(run.next()).rejects.toMatchObject({ severity: 'FATAL' })
    expect(await run.next()).toEqual(DONE)
  })
})

describe('back-pressure', () => {
  it('reads no further chunk while items of the last one are left', async () => {
    iterate()
    const first = run.next()
    await settle()
    peer.connection.batch(...words(1, 2))
    peer.connection.batch(...words(3, 4))
    expect(await first).toEqual(item('w1'))
    await settle()
    expect(chunks).toBe(1)
    expect(await run.next()).toEqual(item('w2'))
    await settle()
    expect(chunks).toBe(1)
    expect(await run.next()).toEqual(item('w3'))
    expect(chunks).toBe(2)
  })

  it('does not count the time of a busy reader as silence', async () => {
    iterate()
    const first = run.next()
    await settle()
    peer.connection.say(1, 'w1')
    await first
    await environment.clock.advance(600_000)
    expect(peer.connections).toHaveLength(1)
    const second = run.next()
    await environment.clock.advance(59_999)
    expect(peer.connections).toHaveLength(1)
    await environment.clock.advance(1_000)
    expect(peer.connections).toHaveLength(2)
    peer.connection.say(2, 'w2')
    expect(await second).toEqual(item('w2'))
  })

  it('keeps the items of a connection that is replaced while its reader is busy', async () => {
    iterate()
    const first = run.next()
    await settle()
    const error = failure({ kind: 'runtime', code: 'agent_error' })
    const interrupted = delivery(2, { type: 'stream-interrupted', streamId: 's1', error })
    peer.connection.batch(textDelivery(1, 'w1'), interrupted, textDelivery(3, 'w3'), textDelivery(4, 'w4'))
    expect(await first).toEqual(item('w1'))
    expect(await run.next()).toEqual(item('w3'))
    await environment.clock.advance(1_000)
    expect(peer.connections).toHaveLength(2)
    peer.connection.say(5, 'w5')
    await settle()
    expect([await run.next(), await run.next()]).toEqual([item('w4'), item('w5')])
  })
})

describe('leaving', () => {
  it('by return stops the run at once and ends a pending next', async () => {
    iterate()
    const pending = run.next()
    await settle()
    expect(await run.return?.()).toEqual(DONE)
    expect(await pending).toEqual(DONE)
    expect(peer.connection.aborted).toBe(true)
    expect(await run.next()).toEqual(DONE)
  })

  it('by return before the first next sends nothing at all', async () => {
    iterate()
    await run.return?.()
    expect(await run.next()).toEqual(DONE)
    await settle()
    expect(peer.connections).toHaveLength(0)
  })

  it('by throw stops the run and throws the error', async () => {
    iterate()
    const first = run.next()
    await settle()
    peer.connection.batch(...words(1, 2))
    await first
    await expect(run.throw?.(new Error('the reader is gone'))).rejects.toThrow('the reader is gone')
    expect(peer.connection.aborted).toBe(true)
    expect(await run.next()).toEqual(DONE)
  })

  it('by break stops the run', async () => {
    setImmediate(() => peer.connection.batch(...words(1, 3)))
    for await (const word of iterate()) {
      expect(word).toBe('w1')
      break
    }
    expect(peer.connection.aborted).toBe(true)
  })

  it('by an abort ends a pending next, gives nothing that is left, and makes no error', async () => {
    const abort = new AbortController()
    iterate({ signal: abort.signal })
    const first = run.next()
    await settle()
    peer.connection.batch(...words(1, 2))
    await first
    abort.abort()
    expect(peer.connection.aborted).toBe(true)
    expect(await run.next()).toEqual(DONE)

    const other = new AbortController()
    iterate({ signal: other.signal })
    const pending = run.next()
    await settle()
    other.abort()
    expect(await pending).toEqual(DONE)
  })

  it('while the request is being made opens no connection', async () => {
    const abort = new AbortController()
    let made = (_request: string): void => {}
    iterate({ signal: abort.signal, createRequest: () => new Promise((resolve) => (made = resolve)) })
    const pending = run.next()
    abort.abort()
    expect(await pending).toEqual(DONE)
    made('question')
    await settle()
    expect(peer.connections).toHaveLength(0)
  })
})

describe('an error', () => {
  it('of the request is thrown by next', async () => {
    iterate({ createRequest: () => Promise.reject(new Error('no user')) })
    await expect(run.next()).rejects.toThrow('no user')
    expect(await run.next()).toEqual(DONE)
    expect(peer.connections).toHaveLength(0)
  })

  it('of reading an event stops the run and is thrown once, after the items before it', async () => {
    iterate({
      read(event) {
        const text = textOf(event)
        if (text === 'w2') throw new Error('unreadable')
        return text
      },
    })
    const calls = [run.next(), run.next(), run.next()]
    await settle()
    peer.connection.batch(...words(1, 3))
    expect(await calls[0]).toEqual(item('w1'))
    await expect(calls[1]).rejects.toThrow('unreadable')
    expect(await calls[2]).toEqual(DONE)
    expect(peer.connection.aborted).toBe(true)
  })

  it('of the last check is thrown in place of the end', async () => {
    iterate({
      onFinished() {
        throw new Error('something is missing')
      },
    })
    const first = run.next()
    await settle()
    peer.connection.say(1, 'w1')
    peer.connection.close(2)
    expect(await first).toEqual(item('w1'))
    await expect(run.next()).rejects.toThrow('something is missing')
  })
})

describe('the cost', () => {
  it('of an item that has come is one promise', async () => {
    iterate()
    const first = run.next()
    await settle()
    peer.connection.batch(...words(1, 101))
    await first
    let promises = 0
    const hook = createHook({
      init(_id, type) {
        if (type === 'PROMISE') promises += 1
      },
    })
    hook.enable()
    const calls = Array.from({ length: 100 }, () => run.next())
    await calls.at(-1)
    hook.disable()
    expect(promises).toBeLessThan(110)
    expect((await Promise.all(calls)).at(-1)).toEqual(item('w101'))
  })

  it('of a chunk creates no timer and no listener', async () => {
    iterate()
    const first = run.next()
    await settle()
    peer.connection.say(1, 'w1')
    await first
    const before = { timers, listeners }
    for (let seq = 2; seq <= 100; seq += 1) {
      const next = run.next()
      peer.connection.say(seq, `w${seq}`)
      expect(await next).toEqual(item(`w${seq}`))
    }
    expect({ timers, listeners }).toEqual(before)
  })
})
