import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DRAIN_MS } from '../../src/seam/drain.ts'
import { backoff } from '../../src/base/backoff.ts'
import { createChat } from '../../src/state/chat.ts'
import { textOf } from '../../src/state/turn.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer, failure } from '../support/scripted-peer.ts'

const SEED = 20_261_121
const RUNS = 1000

type Step =
  | 'send'
  | 'queue'
  | 'edit'
  | 'discard'
  | 'stop'
  | 'regenerate'
  | 'retry'
  | 'disconnect'
  | 'resume'
  | 'answer'
  | 'drop'
  | 'close'
  | 'complete'
  | 'wait'
  | 'breathe'
const steps: readonly Step[] = [
  'send',
  'queue',
  'edit',
  'discard',
  'stop',
  'regenerate',
  'retry',
  'disconnect',
  'resume',
  'answer',
  'drop',
  'close',
  'complete',
  'wait',
  'breathe',
]

async function play(script: readonly Step[]): Promise<void> {
  const environment = createManualEnvironment()
  const peer = createScriptedPeer()
  const chat = createChat({
    client: () => ({
      protocol: peer.protocol,
      retry: backoff({ maxAttempts: 2 }),
      timeoutMs: 60_000,
      environment,
      createRequest: ({ text }) => text,
    }),
    conversationId: 'c1',
  })
  const seqs = new Map<object, number>()
  const pending: Promise<unknown>[] = []
  const live = (): number => peer.connections.filter(({ aborted, isOver }) => !aborted && !isOver).length
  const newest = () => peer.connections.at(-1)

  /** What the user wrote and has not taken back: on its way, waiting, or said. */
  const written = (): string[] => {
    const { messages, queued } = chat.getSnapshot()
    return [...queued.map(({ message }) => message.text), ...messages.filter(({ role }) => role === 'user').map(textOf)]
      .filter((words) => words !== 'Why?')
      .toSorted()
  }
  let known: string[] = []
  let asked = 0

  for (const step of script) {
    const connection = newest()
    if (step === 'queue') pending.push(chat.sendMessage(`Question ${(asked += 1)}`, { whenBusy: 'queue' }))
    if (step === 'edit') {
      const { messages } = chat.getSnapshot()
      const own = messages.filter(({ role }) => role === 'user')
      pending.push(chat.edit(own[script.length % Math.max(1, own.length)]?.id ?? 'none', `Question ${(asked += 1)}`))
    }
    if (step === 'discard') {
      const { messages, queued } = chat.getSnapshot()
      chat.discard(queued[0]?.id ?? messages.find(({ status }) => status === 'not-sent')?.id ?? 'none')
    }
    if (step === 'send') pending.push(chat.sendMessage('Why?'))
    if (step === 'regenerate') pending.push(chat.regenerate())
    if (step === 'retry') pending.push(chat.retry())
    if (step === 'resume') pending.push(chat.resume())
    if (step === 'disconnect') await chat.disconnect()
    if (step === 'breathe') await settle()
    if (step === 'wait') await environment.clock.advance(3000)
    if (step === 'complete') {
      await settle()
      newest()?.event(200 + asked, { type: 'run-finished' })
      await settle()
    }
    if (connection !== undefined && (step === 'answer' || step === 'close')) {
      // Numbered by what this connection's run has heard: a resumed connection continues.
      const seq = (seqs.get(connection) ?? connection.opening.cursors[0]?.seq ?? 0) + 1
      seqs.set(connection, seq)
      if (step === 'answer') connection.say(seq, '.')
      else connection.close(seq)
    }
    if (step === 'drop') connection?.fail(failure())
    if (step === 'stop') {
      await chat.stop()
      const settled = chat.getSnapshot()
      newest()?.say(99, 'after the stop')
      await settle()
      environment.paint()
      expect(chat.getSnapshot(), 'nothing is written after stop').toBe(settled)
      expect(live(), 'no connection is left after stop').toBe(0)
    }
    expect(live(), 'at most one live connection').toBeLessThanOrEqual(1)
    const now = written()
    expect(new Set(now).size, 'nothing is asked twice').toBe(now.length)
    // An edit drops what followed; a discard takes one back.
    if (step !== 'edit' && step !== 'discard')
      expect(now, 'nothing written is lost').toEqual(expect.arrayContaining(known))
    known = now
  }

  await chat.dispose()
  // Responses are read to their end for a moment.
  await environment.clock.advance(DRAIN_MS)
  await Promise.all(pending)
  const { messages, status } = chat.getSnapshot()
  expect(live()).toBe(0)
  expect(environment.clock.pending).toBe(0)
  expect(environment.listeners).toBe(0)
  expect(environment.scheduledFrames).toBe(0)
  expect(['ready', 'error']).toContain(status)
  expect(messages.filter((message) => ['pending', 'streaming', 'sending'].includes(message.status))).toEqual([])
  expect(messages.filter((message) => message.role === 'assistant' && !/^\.*$/.test(textOf(message)))).toEqual([])
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
}

describe('whatever order people and connections act in', () => {
  it('one connection at most is live, nothing is written after stop, nothing stays open', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 24 }), play), {
      seed: SEED,
      numRuns: RUNS,
    })
  })
})
