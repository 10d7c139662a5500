import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DRAIN_MS } from '../../src/seam/drain.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { ChatInstance, ChatCallbacks } from '../../src/state/chat.ts'
import { createChat } from '../../src/state/chat.ts'
import { type ChatMessage, textOf } from '../../src/state/turn.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, delivery, failure, textDelivery } from '../support/scripted-peer.ts'

let environment: ManualEnvironment
let peer: ScriptedPeer
let chat: ChatInstance
let callbacks: ChatCallbacks
let publications: number

function clientOf(scripted: ScriptedPeer): AgentClient<string> {
  return {
    protocol: scripted.protocol,
    retry: backoff({ maxAttempts: 1 }),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text }) => text,
  }
}

beforeEach(() => {
  environment = createManualEnvironment()
  peer = createScriptedPeer()
  callbacks = {}
  publications = 0
  chat = createChat({ client: () => clientOf(peer), conversationId: 'c1', callbacks: () => callbacks })
  chat.subscribe(() => {
    publications += 1
  })
})

afterEach(async () => {
  await chat.dispose()
  // Responses are read to their end for a moment.
  await environment.clock.advance(DRAIN_MS)
  expect(environment.clock.pending).toBe(0)
  expect(environment.scheduledFrames).toBe(0)
  expect(environment.listeners).toBe(0)
})

const shown = (): string[] =>
  chat.getSnapshot().messages.map((message) => `${message.role} ${message.status}: ${textOf(message)}`)
const answer = async (...words: string[]): Promise<void> => {
  words.forEach((word, index) => peer.connection.say(index + 1, word))
  peer.connection.close(words.length + 1)
  await settle()
}

describe('older messages', () => {
  const older = (id: string): ChatMessage => ({
    id,
    role: 'user',
    status: 'sent',
    parts: [{ type: 'text', id: 't', text: id }],
  })

  it('come in front of those that are there, each once, and the others stay the same objects', () => {
    chat.prepend([older('c'), older('d')])
    const before = chat.getSnapshot().messages
    chat.prepend([older('a'), older('b'), older('c')])
    const { messages } = chat.getSnapshot()
    expect(messages.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    expect(messages.slice(2)).toEqual(before)
    expect(messages[2]).toBe(before[0])
  })

  it('that are all there already change nothing', () => {
    chat.prepend([older('a')])
    const { messages } = chat.getSnapshot()
    chat.prepend([older('a')])
    chat.prepend([])
    expect(chat.getSnapshot().messages).toBe(messages)
  })

  it('may come in the middle of an answer, which continues', async () => {
    const sending = chat.sendMessage('Why?')
    await settle()
    peer.connection.say(1, 'Be')
    await settle()
    chat.prepend([older('a')])
    expect(shown()).toEqual(['user sent: a', 'user sent: Why?', 'assistant streaming: Be'])
    peer.connection.say(2, 'cause')
    peer.connection.close(3)
    await sending
    expect(shown()).toEqual(['user sent: a', 'user sent: Why?', 'assistant complete: Because'])
  })
})

describe('sending a message', () => {
  it('shows it immediately, streams the answer and resolves when it is complete', async () => {
    const sending = chat.sendMessage('Why?')
    expect(shown()).toEqual(['user sending: Why?', 'assistant pending: '])
    expect(chat.getSnapshot().status).toBe('submitted')
    await settle()
    expect(peer.connection.opening.request).toBe('Why?')
    peer.connection.say(1, 'Be')
    await settle()
    environment.paint()
    expect(shown()).toEqual(['user sent: Why?', 'assistant streaming: Be'])
    expect(chat.getSnapshot().status).toBe('streaming')
    peer.connection.say(2, 'cause.')
    peer.connection.close(3)
    await sending
    expect(shown()).toEqual(['user sent: Why?', 'assistant complete: Because.'])
    expect(chat.getSnapshot().status).toBe('ready')
  })

  it('tells once of each ending, with its message, status and reason', async () => {
    const ends: string[] = []
    callbacks = {
      onEnd: ({ message, status, error }) =>
        void ends.push(`${message.role} ${status} ${message.status} ${error?.code ?? '-'}`),
    }
    const ask = async (then: () => void): Promise<void> => {
      const asked = chat.sendMessage('Why?')
      await settle()
      then()
      await settle()
      await environment.clock.advance(60_000)
      await asked
    }
    await ask(() => {
      peer.connection.say(1, 'So.')
      peer.connection.close(2)
    })
    await ask(() => void chat.stop())
    await ask(() => {
      peer.connection.say(1, 'Be')
      peer.connection.event(2, {
        type: 'stream-failed',
        streamId: 's',
        error: failure({ severity: 'FATAL', code: 'agent_error', kind: 'runtime' }),
      })
    })
    await ask(() => peer.connection.fail(failure({ severity: 'FATAL', code: 'not_found', kind: 'runtime' })))
    expect(ends).toEqual([
      'assistant complete complete -',
      'assistant stopped stopped -',
      'assistant failed failed agent_error',
      'user not-sent not-sent not_found',
    ])
  })

  it('publishes once a frame however many packets come', async () => {
    void chat.sendMessage('Why?')
    await settle()
    peer.connection.say(1, '.')
    await settle()
    environment.paint()
    publications = 0
    for (let seq = 2; seq <= 1001; seq += 1) peer.connection.say(seq, '.')
    await settle()
    await settle()
    expect(publications).toBe(0)
    environment.paint()
    expect(publications).toBe(1)
    expect(textOf(chat.getSnapshot().messages[1] ?? failMissing())).toHaveLength(1001)
  })

  it('refuses a second one while the first is answered, and nothing at all', async () => {
    void chat.sendMessage('Why?')
    expect(await chat.sendMessage('And?')).toMatchObject({ status: 'refused', error: { code: 'busy' } })
    expect(await chat.sendMessage('  ')).toMatchObject({ status: 'refused', error: { code: 'invalid_request' } })
    expect(shown()).toHaveLength(2)
  })

  it('uses the client of the moment', async () => {
    void chat.sendMessage('One')
    await settle()
    await answer('1')
    peer = createScriptedPeer()
    void chat.sendMessage('Two')
    await settle()
    expect(peer.connection.opening.request).toBe('Two')
  })

  it('keeps ids over the whole life of a message', async () => {
    void chat.sendMessage('Why?')
    const before = chat.getSnapshot().messages.map(({ id }) => id)
    await settle()
    await answer('Because.')
    expect(chat.getSnapshot().messages.map(({ id }) => id)).toEqual(before)
    expect(new Set(before).size).toBe(2)
  })
})

describe('a message that could not be sent', () => {
  beforeEach(async () => {
    const sending = chat.sendMessage({ text: 'Why?', files: ['f1'] })
    await settle()
    peer.connection.fail(failure({ kind: 'runtime', code: 'unauthorized', severity: 'FATAL', status: 401 }))
    await sending
  })

  it('keeps its text and says why', () => {
    expect(shown()).toEqual(['user not-sent: Why?'])
    expect(chat.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'unauthorized' } })
  })

  it('is sent again under the same request id', async () => {
    const [first] = peer.connections
    void chat.retry()
    await settle()
    expect(peer.connection.opening.requestId).toBe(first?.opening.requestId)
    expect(chat.getSnapshot().messages[0]?.files).toEqual(['f1'])
    await answer('Because.')
    expect(shown()).toEqual(['user sent: Why?', 'assistant complete: Because.'])
  })

  it('goes out with the very same request, not one made again', async () => {
    let made = 0
    const client: AgentClient<string> = { ...clientOf(peer), createRequest: ({ text }) => `${text} ${(made += 1)}` }
    const own = createChat({ client: () => client, conversationId: 'c2' })
    void own.sendMessage('Why?')
    await settle()
    peer.connection.fail(failure({ kind: 'runtime', code: 'http_error', status: 503 }))
    await settle()
    void own.retry()
    await settle()
    expect(peer.connection.opening.request).toBe('Why? 1')
    await own.dispose()
  })

  it('is sent again by regenerate too: there is no answer to make again', async () => {
    const [first] = peer.connections
    void chat.regenerate()
    await settle()
    expect(peer.connection.opening.requestId).toBe(first?.opening.requestId)
    expect(shown()).toEqual(['user sending: Why?', 'assistant pending: '])
  })

  it('can be taken back for editing', () => {
    expect(chat.discard(chat.getSnapshot().messages[0]?.id ?? '')).toEqual({ text: 'Why?', files: ['f1'] })
    expect(chat.discard('gone')).toBeUndefined()
    expect(shown()).toEqual([])
    expect(chat.getSnapshot().status).toBe('ready')
  })

  it('leaves the error until it is cleared', () => {
    chat.clearError()
    expect(chat.getSnapshot()).toMatchObject({ status: 'ready', error: undefined })
  })
})

describe('an answer that broke off', () => {
  async function breakOff(error = failure()): Promise<void> {
    const sending = chat.sendMessage('Why?')
    await settle()
    peer.connection.say(1, 'Half ')
    await settle()
    for (let attempt = 0; attempt < 2; attempt += 1) {
      peer.connection.fail(error)
      await settle()
      await environment.clock.advance(1000)
    }
    await sending
  }

  it('stays on the page as incomplete and continues where it stopped', async () => {
    await breakOff()
    expect(shown()).toEqual(['user sent: Why?', 'assistant incomplete: Half '])
    const { requestId } = peer.connection.opening
    void chat.retry()
    await settle()
    expect(peer.connection.opening).toMatchObject({ requestId, cursors: [{ streamId: 's1', seq: 1 }] })
    peer.connection.say(2, 'and whole.')
    peer.connection.close(3)
    await settle()
    expect(shown()).toEqual(['user sent: Why?', 'assistant complete: Half and whole.'])
    expect(chat.getSnapshot().status).toBe('ready')
  })

  it('continues too when a resume was refused for the moment', async () => {
    await breakOff(failure({ kind: 'runtime', code: 'http_error', status: 503 }))
    expect(shown()).toEqual(['user sent: Why?', 'assistant incomplete: Half '])
    void chat.retry()
    await settle()
    peer.connection.say(2, 'and whole.')
    peer.connection.close(3)
    await settle()
    expect(shown()).toEqual(['user sent: Why?', 'assistant complete: Half and whole.'])
  })

  it('is asked for again under a new id when the agent itself failed', async () => {
    await breakOff(failure({ kind: 'runtime', code: 'agent_error', severity: 'FATAL' }))
    expect(shown()).toEqual(['user sent: Why?', 'assistant failed: Half '])
    const { requestId } = peer.connection.opening
    void chat.retry()
    await settle()
    expect(peer.connection.opening.requestId).not.toBe(requestId)
    expect(peer.connection.opening.cursors).toEqual([])
    await answer('Whole.')
    expect(shown()).toEqual(['user sent: Why?', 'assistant complete: Whole.'])
  })
})

describe('regenerate', () => {
  it('answers the chosen message again and drops what came after', async () => {
    void chat.sendMessage('One')
    await settle()
    await answer('1')
    void chat.sendMessage('Two')
    await settle()
    await answer('2')
    const first = chat.getSnapshot().messages[1]?.id
    void chat.regenerate(first)
    await settle()
    expect(peer.connection.opening.request).toBe('One')
    await answer('one')
    expect(shown()).toEqual(['user sent: One', 'assistant complete: one'])
  })

  it('says so when there is nothing to answer', async () => {
    expect(await chat.regenerate()).toMatchObject({ status: 'refused', error: { code: 'invalid_request' } })
  })
})

describe('the actions', () => {
  it('stop settles the message and lets nothing through', async () => {
    const sending = chat.sendMessage('Why?')
    await settle()
    peer.connection.say(1, 'Half')
    await settle()
    await chat.stop()
    await sending
    peer.connection.say(2, ' more')
    await settle()
    expect(shown()).toEqual(['user sent: Why?', 'assistant stopped: Half'])
    expect(chat.getSnapshot().status).toBe('ready')
    await chat.stop()
  })

  it('stop works before the request is made', async () => {
    const sending = chat.sendMessage('Why?')
    await chat.stop()
    await sending
    await settle()
    expect(peer.connections).toHaveLength(0)
  })

  it('disconnect holds while the request is still being made', async () => {
    void chat.sendMessage('Why?')
    await chat.disconnect()
    await settle()
    expect(peer.connections).toHaveLength(0)
    void chat.resume()
    await settle()
    expect(peer.connections).toHaveLength(1)
    await answer('Because.')
    expect(shown()).toEqual(['user sent: Why?', 'assistant complete: Because.'])
  })

  it('stop in a callback lets the rest of the chunk go', async () => {
    callbacks = { onWarning: () => void chat.stop() }
    void chat.sendMessage('Why?')
    await settle()
    peer.connection.batch(
      delivery(1, { type: 'warning', streamId: 's1', error: failure({ severity: 'WARNING' }) }),
      textDelivery(2, 'late'),
    )
    await settle()
    environment.paint()
    expect(shown()).toEqual(['user sent: Why?', 'assistant stopped: '])
  })

  it('disconnect in a callback writes no more of the chunk, and resume writes the rest of it first', async () => {
    const warning = failure({ severity: 'WARNING' })
    callbacks = { onWarning: () => void chat.disconnect() }
    const sending = chat.sendMessage('Why?')
    await settle()
    peer.connection.batch(
      textDelivery(1, 'Half'),
      delivery(2, { type: 'warning', streamId: 's1', error: warning }),
      textDelivery(3, ' whole'),
    )
    await settle()
    environment.paint()
    expect(shown()).toEqual(['user sent: Why?', 'assistant streaming: Half'])
    callbacks = {}
    void chat.resume()
    expect(shown()).toEqual(['user sent: Why?', 'assistant streaming: Half whole'])
    await settle()
    expect(peer.connection.opening.cursors).toEqual([{ streamId: 's1', seq: 3 }])
    peer.connection.close(4)
    await sending
    expect(shown()).toEqual(['user sent: Why?', 'assistant complete: Half whole'])
    expect(chat.getSnapshot().warnings).toEqual([warning])
  })

  it('disconnect in onFinish keeps the queue from continuing unseen', async () => {
    callbacks = { onFinish: () => void chat.disconnect() }
    void chat.sendMessage('Why?')
    void chat.sendMessage('And?', { whenBusy: 'queue' })
    await settle()
    await answer('Because.')
    expect(peer.connections).toHaveLength(1)
    expect(chat.getSnapshot().queued).toHaveLength(1)
  })

  it('resume in a subscriber, while a run begins, opens no second one', async () => {
    const unsubscribe = chat.subscribe(() => {
      unsubscribe()
      void chat.resume()
    })
    const sending = chat.sendMessage('Why?')
    await settle()
    expect(peer.connections).toHaveLength(1)
    await answer('Because.')
    await sending
  })

  it('stop in a subscriber, while a run begins, settles the action that began it and sends nothing', async () => {
    let made = 0
    const client: AgentClient<string> = { ...clientOf(peer), createRequest: ({ text }) => `${text} ${(made += 1)}` }
    const own = createChat({ client: () => client, conversationId: 'c2' })
    own.subscribe(() => {
      if (own.getSnapshot().status === 'submitted') void own.stop()
    })
    await own.sendMessage('Why?')
    await settle()
    expect(peer.connections).toHaveLength(0)
    expect(made).toBe(0)
    expect(own.getSnapshot().messages.map(({ status }) => status)).toEqual(['sent', 'stopped'])
  })

  it('that are called after dispose send nothing: those that would are refused, the others do nothing', async () => {
    void chat.sendMessage('Why?')
    await settle()
    peer.connection.say(1, 'Half')
    await settle()
    await chat.dispose()
    const { messages } = chat.getSnapshot()
    const refusal = { status: 'refused', error: { code: 'app_error', kind: 'runtime', severity: 'FATAL' } }
    expect(await chat.sendMessage('And?')).toMatchObject(refusal)
    expect(await chat.sendMessage('And?', { whenBusy: 'queue' })).toMatchObject(refusal)
    expect(await chat.regenerate()).toMatchObject(refusal)
    expect(await chat.retry()).toMatchObject(refusal)
    expect(await chat.edit(messages[0]?.id ?? '', 'Why not?')).toMatchObject(refusal)
    await Promise.all([chat.resume(), chat.stop(), chat.disconnect(), chat.dispose()])
    await settle()
    expect(peer.connections).toHaveLength(1)
    expect(chat.getSnapshot().messages).toBe(messages)
  })

  it('resume after dispose does not continue an answer that broke off', async () => {
    void chat.sendMessage('Why?')
    await settle()
    for (let attempt = 0; attempt < 2; attempt += 1) {
      peer.connection.say(1, 'Half')
      peer.connection.fail(failure())
      await settle()
      await environment.clock.advance(1000)
    }
    const { length } = peer.connections
    await chat.dispose()
    await chat.resume()
    await settle()
    expect(peer.connections).toHaveLength(length)
  })

  it('disconnect and resume lose nothing', async () => {
    void chat.sendMessage('Why?')
    await settle()
    peer.connection.say(1, 'Half')
    await settle()
    await chat.disconnect()
    expect(peer.connection.aborted).toBe(true)
    expect(chat.getSnapshot().connection.phase).toBe('paused')
    void chat.resume()
    await settle()
    peer.connection.say(1, 'Half')
    peer.connection.say(2, ' whole')
    peer.connection.close(3)
    await settle()
    expect(shown()).toEqual(['user sent: Why?', 'assistant complete: Half whole'])
  })

  it('retry skips the wait for the next attempt', async () => {
    environment.chance = 1
    void chat.sendMessage('Why?')
    await settle()
    peer.connection.fail(failure())
    await settle()
    environment.paint()
    expect(chat.getSnapshot().connection.phase).toBe('waiting')
    void chat.retry()
    await settle()
    expect(peer.connections).toHaveLength(2)
  })
})

describe('the callbacks of an app', () => {
  it('learn of warnings, of the answer, of failures, in their newest version', async () => {
    const heard: string[] = []
    void chat.sendMessage('Why?')
    callbacks = {
      onWarning: ({ message }) => heard.push(message),
      onFinish: (message) => heard.push(textOf(message)),
      onError: ({ code }) => heard.push(code),
    }
    await settle()
    peer.connection.event(1, {
      type: 'warning',
      streamId: 's1',
      error: failure({ severity: 'WARNING', message: 'Old data.' }),
    })
    peer.connection.say(2, 'Because.')
    peer.connection.close(3)
    await settle()
    void chat.sendMessage('And?')
    await settle()
    peer.connection.fail(failure({ kind: 'runtime', code: 'forbidden', severity: 'FATAL', status: 403 }))
    await settle()
    expect(heard).toEqual(['Old data.', 'Because.', 'forbidden'])
    expect(chat.getSnapshot().warnings).toHaveLength(1)
  })

  it('and subscribers that throw are reported, and keep neither the run nor one another from continuing', async () => {
    const mistake = new Error('subscriber broke')
    const own = createChat({ client: () => clientOf(peer), conversationId: 'c2' })
    own.subscribe(() => {
      throw mistake
    })
    let heard = 0
    own.subscribe(() => (heard += 1))
    const sending = own.sendMessage('Why?')
    await settle()
    await answer('Because.')
    await sending
    expect(own.getSnapshot().status).toBe('ready')
    expect(heard).toBe(environment.reports.length)
    expect(new Set(environment.reports)).toEqual(new Set([mistake]))
    await own.dispose()
  })

  it('that throw are reported once and do not disturb the stream', async () => {
    const mistake = new Error('callback broke')
    callbacks = {
      onWarning: () => {
        throw mistake
      },
    }
    void chat.sendMessage('Why?')
    await settle()
    peer.connection.event(1, { type: 'warning', streamId: 's1', error: failure({ severity: 'WARNING' }) })
    peer.connection.say(2, 'Because.')
    peer.connection.close(3)
    await settle()
    expect(shown().at(-1)).toBe('assistant complete: Because.')
    expect(environment.reports).toEqual([mistake])
  })
})

function failMissing(): never {
  throw new Error('the message is missing')
}
