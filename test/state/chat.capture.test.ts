import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DRAIN_MS } from '../../src/seam/drain.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { CapturableChat, ChatCallbacks } from '../../src/state/chat.ts'
import { createChat } from '../../src/state/chat.ts'
import type { ChatState } from '../../src/state/chat-snapshot.ts'
import { textOf } from '../../src/state/turn.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import { promptOf } from '../support/prompts.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, delivery, failure, textDelivery } from '../support/scripted-peer.ts'

let environment: ManualEnvironment
let peer: ScriptedPeer
const chats: CapturableChat[] = []

function open(initialState?: ChatState, callbacks: ChatCallbacks = {}): CapturableChat {
  const client: AgentClient<string> = {
    protocol: peer.protocol,
    retry: backoff({ maxAttempts: 1 }),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text }) => text,
  }
  const chat = createChat({ client: () => client, conversationId: 'c1', initialState, callbacks: () => callbacks })
  chats.push(chat)
  return chat
}

/** Asks, hears two words, and goes away as a page does that is closed. */
async function leaveInTheMiddle(): Promise<ChatState> {
  const chat = open()
  void chat.sendMessage('Why?')
  await settle()
  peer.connection.say(1, 'Be')
  peer.connection.say(2, 'cause')
  await settle()
  const state = chat.capture()
  await chat.disconnect()
  return state
}

const shown = (chat: CapturableChat): string[] =>
  chat.getSnapshot().messages.map((message) => `${message.role} ${message.status}: ${textOf(message)}`)

beforeEach(() => {
  environment = createManualEnvironment()
  peer = createScriptedPeer()
})

afterEach(async () => {
  for (const chat of chats.splice(0)) await chat.dispose()
  // Responses are read to their end for a moment.
  await environment.clock.advance(DRAIN_MS)
  expect(environment.clock.pending).toBe(0)
})

describe('a chat that begins where another ended', () => {
  it('shows what was there and sends nothing automatically', async () => {
    const chat = open(await leaveInTheMiddle())
    await settle()
    expect(shown(chat)).toEqual(['user sent: Why?', 'assistant streaming: Because'])
    expect(chat.getSnapshot().status).toBe('streaming')
    expect(peer.connections).toHaveLength(1)
  })

  it('continues with the same run after the last packet, and takes no replay for new', async () => {
    const first = await leaveInTheMiddle()
    const { requestId } = peer.connection.opening
    const chat = open(first)
    const over = chat.resume()
    void chat.resume()
    await settle()
    expect(peer.connections).toHaveLength(2)
    expect(peer.connection.opening).toMatchObject({
      requestId,
      request: 'Why?',
      attempt: 1,
      cursors: [{ streamId: 's1', seq: 2 }],
      handle: { lastEventId: 's1' },
    })
    peer.connection.say(2, 'cause')
    peer.connection.say(3, '.')
    peer.connection.close(4)
    await over
    expect(shown(chat)).toEqual(['user sent: Why?', 'assistant complete: Because.'])
  })

  it('takes back what was said when the server began again', async () => {
    const chat = open(await leaveInTheMiddle())
    const over = chat.resume()
    await settle()
    peer.connection.say(1, 'Since.', 's2')
    peer.connection.close(2, 's2')
    await over
    expect(shown(chat)).toEqual(['user sent: Why?', 'assistant complete: Since.'])
  })

  it('ends a run whose last packet had been read without asking what it said', async () => {
    const first = open()
    void first.sendMessage('Why?')
    await settle()
    peer.connection.batch({
      event: { type: 'text', streamId: 's1', text: 'So.' },
      cursor: { streamId: 's1', seq: 1 },
      progress: true,
    })
    await settle()
    const { run, ...rest } = first.capture()
    const state: ChatState = {
      ...rest,
      run: run && {
        ...run,
        resumePoint: { ...run.resumePoint, streams: new Map([['s1', { seq: 2, state: 'closed' }]]) },
      },
    }
    await first.disconnect()
    const chat = open(state)
    const over = chat.resume()
    await settle()
    peer.connection.end()
    await over
    expect(shown(chat)).toEqual(['user sent: Why?', 'assistant complete: So.'])
  })

  it.each([
    ['awaiting-input', 'open', 'awaiting-input', 'complete'],
    ['cancelled', 'withdrawn', 'ready', 'stopped'],
    [undefined, 'withdrawn', 'ready', 'complete'],
  ] as const)(
    'ends as its last event said, which was %s, where it is captured before its end',
    async (outcome, promptState, status, messageStatus) => {
      let state: ChatState | undefined
      const first = open(undefined, { onWarning: () => (state = first.capture()) })
      void first.sendMessage('Why?')
      await settle()
      peer.connection.batch(
        delivery(1, { type: 'prompt', prompt: promptOf({ answeredBy: 'next-run' }) }),
        delivery(2, { type: 'warning', error: failure({ severity: 'WARNING' }) }),
        delivery(3, { type: 'stream-closed', streamId: 's1', outcome }),
      )
      await settle()
      expect(state?.run).toMatchObject({
        ended: false,
        resumePoint: { streams: new Map([['s1', { state: 'closed' }]]) },
      })
      await first.disconnect()
      const chat = open(state)
      const over = chat.resume()
      await settle()
      peer.connection.batch()
      await over
      const { messages, status: shownStatus } = chat.getSnapshot()
      expect(messages.flatMap(promptsOf).map((prompt) => prompt.state)).toEqual([promptState])
      expect([shownStatus, messages.at(-1)?.status]).toEqual([status, messageStatus])
    },
  )

  it('stops a run it never resumed', async () => {
    const chat = open(await leaveInTheMiddle())
    await chat.stop()
    expect(shown(chat)).toEqual(['user sent: Why?', 'assistant stopped: Because'])
    await chat.resume()
    expect(peer.connections).toHaveLength(1)
  })

  it('lets a user continue with a run that had given up, under the same id', async () => {
    const first = open()
    const gaveUp = first.sendMessage('Why?')
    await settle()
    peer.connection.say(1, 'Be')
    await settle()
    peer.connection.fail(failure())
    await environment.clock.advance(30_000)
    peer.connection.fail(failure())
    await environment.clock.advance(30_000)
    await gaveUp
    const { requestId } = peer.connection.opening
    const state = first.capture()
    expect(state.run?.ended).toBe(true)
    expect(shown(first)).toEqual(['user sent: Why?', 'assistant incomplete: Be'])

    const connections = peer.connections.length
    const chat = open(state)
    expect(chat.getSnapshot().status).toBe('error')
    expect(peer.connections).toHaveLength(connections)
    const over = chat.retry()
    await settle()
    expect(peer.connection.opening).toMatchObject({ requestId, cursors: [{ streamId: 's1', seq: 1 }] })
    peer.connection.say(2, 'cause.')
    peer.connection.close(3)
    await over
    expect(shown(chat)).toEqual(['user sent: Why?', 'assistant complete: Because.'])
  })

  it('keeps what waited, and sends it when the answer is complete', async () => {
    const first = open()
    void first.sendMessage('Why?')
    await settle()
    await first.sendMessage('And then?', { whenBusy: 'queue' })
    const state = first.capture()
    await first.disconnect()
    const chat = open(state)
    void chat.resume()
    await settle()
    peer.connection.say(1, 'So.')
    peer.connection.close(2)
    await settle()
    expect(shown(chat)).toEqual([
      'user sent: Why?',
      'assistant complete: So.',
      'user sending: And then?',
      'assistant pending: ',
    ])
  })
})

describe('what is captured', () => {
  it('does not move when the chat continues', async () => {
    const chat = open()
    void chat.sendMessage('Why?')
    await settle()
    peer.connection.say(1, 'Be')
    await settle()
    const before = chat.capture()
    peer.connection.say(2, 'cause')
    await settle()
    expect(before.run?.resumePoint.streams.get('s1')?.seq).toBe(1)
    expect(before.messages.map(textOf)).toEqual(['Why?', 'Be'])
    expect(chat.capture().run?.resumePoint.streams.get('s1')?.seq).toBe(2)
  })

  it('is as far as its cursors, even of a run that was left in the middle of a chunk', async () => {
    const warning = failure({ severity: 'WARNING' })
    const first: CapturableChat = open(undefined, { onWarning: () => void first.disconnect() })
    void first.sendMessage('Why?')
    await settle()
    peer.connection.batch(
      textDelivery(1, 'Half'),
      delivery(2, { type: 'warning', streamId: 's1', error: warning }),
      textDelivery(3, ' whole'),
    )
    await settle()
    expect(shown(first).at(-1)).toBe('assistant streaming: Half')
    const second = open(first.capture())
    expect(shown(second).at(-1)).toBe('assistant streaming: Half whole')
    void second.resume()
    await settle()
    expect(peer.connection.opening.cursors).toEqual([{ streamId: 's1', seq: 3 }])
    peer.connection.close(4)
    await settle()
    expect(shown(second).at(-1)).toBe('assistant complete: Half whole')
  })

  it('takes along how long the server asked to wait', async () => {
    const first = open()
    void first.sendMessage('Why?')
    await settle()
    peer.connection.say(1, 'Half')
    peer.connection.fail(failure({ kind: 'runtime', code: 'http_error', status: 503, retryAfterMs: 90_000 }))
    await settle()
    const state = first.capture()
    await first.dispose()
    const second = open(state)
    void second.resume()
    await environment.clock.advance(89_999)
    expect(peer.connections).toHaveLength(1)
    environment.paint()
    expect(second.getSnapshot().connection.phase).toBe('waiting')
    void second.retry()
    await settle()
    expect(peer.connections).toHaveLength(2)
  })

  it('has no run once there is nothing to resume', async () => {
    const chat = open()
    expect(chat.capture().run).toBeUndefined()
    const over = chat.sendMessage('Why?')
    await settle()
    peer.connection.say(1, 'So.')
    peer.connection.close(2)
    await over
    expect(chat.capture().run).toBeUndefined()
    const again = chat.sendMessage('And?')
    await chat.stop()
    await again
    expect(chat.capture().run).toBeUndefined()
  })
})
