import { describe, expect, it } from 'vitest'
import { DRAIN_MS } from '../../src/seam/drain.ts'
import { isAgentError } from '../../src/base/agent-error.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { backoff } from '../../src/base/backoff.ts'
import { createChat } from '../../src/state/chat.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { textOf } from '../../src/state/turn.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { Connection } from '../support/scripted-peer.ts'
import { createScriptedPeer, delivery, failure, textDelivery } from '../support/scripted-peer.ts'

/** Every action of a chat, as an app would call it from inside a callback. */
const ACTIONS: Readonly<Record<string, (chat: ChatInstance) => unknown>> = {
  sendMessage: (chat) => chat.sendMessage('And then?'),
  'sendMessage, queued': (chat) => chat.sendMessage('And then?', { whenBusy: 'queue' }),
  edit: (chat) => chat.edit(chat.getSnapshot().messages[0]?.id ?? 'none', 'Why not?'),
  regenerate: (chat) => chat.regenerate(),
  retry: (chat) => chat.retry(),
  resume: (chat) => chat.resume(),
  stop: (chat) => chat.stop(),
  disconnect: (chat) => chat.disconnect(),
  discard: (chat) => chat.discard(chat.getSnapshot().messages[0]?.id ?? 'none'),
  prepend: (chat) => chat.prepend([]),
  clearError: (chat) => chat.clearError(),
  dispose: (chat) => chat.dispose(),
}

const CALLBACKS = ['createRequest', 'subscriber', 'onWarning', 'onFinish', 'onError'] as const
type Callback = (typeof CALLBACKS)[number]

/** State of the run of the scenario when the callbacks come, and how its connections end. */
const SCENES = [
  'finishes',
  'fails',
  'breaks off',
  'has a message queued',
  'is resumed',
  'is left while its request is made',
  'is taken over',
] as const
type Scene = (typeof SCENES)[number]

const WORDS = ['Rivers ', 'bend ', 'slowly.']

/** Says what its cursors do not know yet: a word, a warning and a word in one chunk, then a word and the end. */
function play(connection: Connection, scene: Scene): void {
  const known = connection.opening.cursors[0]?.seq ?? 0
  const all = [
    textDelivery(1, WORDS[0] ?? ''),
    delivery(2, { type: 'warning', streamId: 's1', error: failure({ severity: 'WARNING' }) }),
    textDelivery(3, WORDS[1] ?? ''),
  ]
  connection.batch(...all.slice(known))
  if (scene === 'breaks off' && known === 0) return connection.fail(failure())
  if (scene === 'fails') return connection.fail(failure({ kind: 'runtime', code: 'agent_error', severity: 'FATAL' }))
  if (known < 4) connection.say(4, WORDS[2] ?? '')
  connection.close(5)
}

interface Outcome {
  readonly faults: readonly string[]
  readonly calls: number
}

/** Plays one scene; at the `nth` call of the callback the actions are called from inside it. */
async function playScene(
  scene: Scene,
  callback: Callback,
  nth: number,
  actions: readonly ((chat: ChatInstance) => unknown)[],
): Promise<Outcome> {
  const environment = createManualEnvironment()
  const peer = createScriptedPeer()
  const faults: string[] = []
  const pending = new Set<Promise<unknown>>()
  const making = new Map<string, number>()
  let calls = 0
  let isDisposed = false
  let chat: ChatInstance | undefined

  const keep = (action: unknown): void => {
    if (!(action instanceof Promise)) return
    const kept = action
      .catch((error: unknown) => {
        if (!isAgentError(error)) faults.push(`rejected with ${String(error)}`)
      })
      .finally(() => pending.delete(kept))
    pending.add(kept)
  }
  const inside = (name: Callback): void => {
    if (name !== callback || chat === undefined) return
    calls += 1
    if (calls !== nth) return
    for (const action of actions) keep(action(chat))
  }
  const live = (): number => peer.connections.filter(({ aborted, isOver }) => !aborted && !isOver).length
  const client: AgentClient<string> = {
    protocol: {
      ...peer.protocol,
      open(opening) {
        if (live() > 0) faults.push('a second live connection')
        if (isDisposed) faults.push('a connection after dispose()')
        return peer.protocol.open(opening)
      },
    },
    retry: backoff({ maxAttempts: 0 }),
    timeoutMs: 60_000,
    environment,
    async createRequest({ text, requestId }) {
      making.set(requestId, (making.get(requestId) ?? 0) + 1)
      if (making.get(requestId) !== 1) faults.push(`request ${requestId} was made twice`)
      if (isDisposed) faults.push('a request after dispose()')
      inside('createRequest')
      await Promise.resolve()
      return text
    },
  }
  const options = {
    client: () => client,
    conversationId: 'c1',
    callbacks: () => ({
      onWarning: () => inside('onWarning'),
      onFinish: () => inside('onFinish'),
      onError: () => inside('onError'),
    }),
  }
  const played = new Set<Connection>()
  const pass = async (): Promise<void> => {
    for (let turn = 0; turn < 6; turn += 1) {
      await settle()
      for (const connection of peer.connections) {
        if (played.has(connection) || connection.aborted) continue
        played.add(connection)
        play(connection, scene)
      }
      await settle()
      environment.paint()
    }
  }

  let own = createChat(options)
  if (scene === 'is taken over') {
    const early = createChat({ ...options, callbacks: undefined })
    keep(early.sendMessage('Why?'))
    await settle()
    peer.connection.say(1, WORDS[0] ?? '')
    await settle()
    keep(early.disconnect())
    for (const connection of peer.connections) played.add(connection)
    making.clear()
    own = createChat({ ...options, initialState: early.capture() })
    keep(early.dispose())
  }
  chat = own
  own.subscribe(() => inside('subscriber'))
  keep(scene === 'is taken over' ? own.resume() : own.sendMessage('Why?'))
  if (scene === 'is left while its request is made') keep(own.disconnect())
  if (scene === 'has a message queued') keep(own.sendMessage('And?', { whenBusy: 'queue' }))
  if (scene === 'is resumed') {
    await settle()
    peer.connections.at(-1)?.say(1, WORDS[0] ?? '')
    for (const connection of peer.connections) played.add(connection)
    await settle()
    environment.paint()
    keep(own.disconnect())
    keep(own.resume())
  }
  await pass()
  keep(own.resume())
  await pass()
  for (const message of own.getSnapshot().messages) {
    if (message.role === 'assistant' && !WORDS.join('').startsWith(textOf(message)))
      faults.push(`shows ${JSON.stringify(textOf(message))}`)
    if (message.role === 'assistant' && message.status === 'complete' && textOf(message) !== WORDS.join(''))
      faults.push(`is complete with ${JSON.stringify(textOf(message))}`)
  }

  keep(own.dispose())
  isDisposed = true
  for (const action of Object.values(ACTIONS)) keep(action(own))
  await pass()
  // Responses are read to their end for a moment.
  await environment.clock.advance(DRAIN_MS)
  if (pending.size > 0) faults.push(`${pending.size} promises never settled`)
  if (live() > 0) faults.push(`${live()} connections after dispose()`)
  if (environment.clock.pending > 0) faults.push(`${environment.clock.pending} timers after dispose()`)
  if (environment.listeners > 0) faults.push(`${environment.listeners} listeners after dispose()`)
  if (environment.scheduledFrames > 0) faults.push(`${environment.scheduledFrames} frames after dispose()`)
  if (environment.reports.length > 0) faults.push(`reported ${String(environment.reports[0])}`)
  return { faults, calls }
}

/** The first calls of a callback are the interesting ones; later ones meet the same phases. */
const MOST_CALLS = 6

describe.each(SCENES)('an action called from inside a callback, while a run %s', (scene) => {
  it.each(CALLBACKS)(
    '%s: one connection at most, each request made once, every promise settles, nothing outlives dispose()',
    async (callback) => {
      const faults: string[] = []
      for (const [name, action] of Object.entries(ACTIONS)) {
        for (let nth = 1; nth <= MOST_CALLS; nth += 1) {
          const outcome = await playScene(scene, callback, nth, [action])
          faults.push(...outcome.faults.map((fault) => `${name} in call ${nth}: ${fault}`))
          if (outcome.calls < nth) break
        }
      }
      expect(faults).toEqual([])
    },
  )

  it('two actions in one callback leave the chat in a valid state as well', async () => {
    const faults: string[] = []
    const names = Object.keys(ACTIONS)
    for (const callback of CALLBACKS) {
      for (const nth of callback === 'subscriber' ? [1, 2] : [1]) {
        if ((await playScene(scene, callback, nth, [])).calls < nth) break
        for (const one of names) {
          for (const two of names) {
            const actions = [ACTIONS[one], ACTIONS[two]].filter((action) => action !== undefined)
            const outcome = await playScene(scene, callback, nth, actions)
            faults.push(...outcome.faults.map((fault) => `${one}, ${two} in call ${nth} of ${callback}: ${fault}`))
          }
        }
      }
    }
    expect(faults).toEqual([])
  })
})

describe('the callbacks of the scenes', () => {
  it('are all called in at least one of them', async () => {
    const called = new Set<Callback>()
    for (const scene of SCENES)
      for (const callback of CALLBACKS) if ((await playScene(scene, callback, 1, [])).calls > 0) called.add(callback)
    expect([...called].toSorted()).toEqual([...CALLBACKS].toSorted())
  })
})
