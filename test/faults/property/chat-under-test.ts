import { DRAIN_MS } from '../../../src/seam/drain.ts'
import type { ChatMessage } from '../../../src/state/turn.ts'
import { isUnwritten } from './is-unwritten.ts'
import { isAgentError } from '../../../src/base/agent-error.ts'
import type { AgentClient } from '../../../src/session/agent-client.ts'
import type { CapturableChat } from '../../../src/state/chat.ts'
import { promptsOf } from '../../../src/state/prompts.ts'
import { createChat } from '../../../src/state/chat.ts'
import type { ChatSnapshot, ChatState } from '../../../src/state/chat-snapshot.ts'
import type { RunLog } from './aftermath.ts'
import { createWitness, promise } from './invariants.ts'
import type { Act, InsideAct, InsideAction } from './schedule.ts'
import type { LiveConnection, VirtualServer } from './virtual-server.ts'
import type { VirtualDevice, VirtualTime } from './virtual-world.ts'

export interface Surroundings {
  readonly client: () => AgentClient
  readonly server: VirtualServer
  readonly device: VirtualDevice
  readonly time: VirtualTime
  /** Broken promises that come to light inside the library, which would only take them for faults of an adapter. */
  note(kept: boolean, words: () => string): void
  /** An app made a mistake in a callback. */
  onThrown(): void
  /** An action was called from inside a callback. */
  onInside(where: InsideAct['where']): void
}

export type Action = InsideAction | 'discard' | 'clear-error' | 'answer'

/** One chat with all that is expected of it. */
export interface ChatUnderTest {
  readonly conversationId: string
  readonly endings: readonly string[]
  readonly runs: readonly RunLog[]
  readonly snapshot: ChatSnapshot
  readonly isRunning: boolean
  /** Left by `disconnect()`: nothing may be sent. */
  readonly isLeft: boolean
  /** Whether the last run broke off for a reason that has passed by now. */
  readonly couldBeMore: boolean
  /** Calls an action; what it promises is kept track of. */
  call(action: Action): void
  /** Calls an action once, from inside the next callback of that kind. */
  arm(act: InsideAct): void
  setMood(mood: (Act & { type: 'callbacks' })['mood']): void
  /** Another page continues where this one is. */
  takeOver(): void
  /** Is told about each request that is made and each attempt that is made of it. */
  onRequest(requestId: string): void
  onAttempt(requestId: string, attempt: number): void
  noteEnding(): void
  check(): void
  /** Disposes of the chat, then calls every action: all of them settle, once so much time has passed. */
  dispose(pass: () => Promise<void>): Promise<void>
}

const ACTIONS: readonly Action[] = [
  'send',
  'queue',
  'stop',
  'disconnect',
  'resume',
  'retry',
  'regenerate',
  'discard',
  'clear-error',
  'answer',
]

export function createChatUnderTest({
  client,
  server,
  device,
  time,
  note,
  onThrown,
  onInside,
}: Surroundings): ChatUnderTest {
  const conversationId = device.environment.uuid()
  const witness = createWitness(server)
  const runs: RunLog[] = []
  const endings: string[] = []
  const finished = new Set<string>()
  const warned = new Set<unknown>()
  const pending = new Set<Promise<unknown>>()
  /** Requests this page made, and those that pages before it made. */
  const made = new Set<string>()
  const madeBefore = new Set<string>()
  let mood: (Act & { type: 'callbacks' })['mood'] = 'calm'
  let armed: InsideAct | undefined
  let isLeft = false
  /** When the run was last seen to have ended. */
  let endedAt: number | undefined
  /** Who wants the next attempt: a user who will not wait, somebody who shows the chat again, or nobody but the library. */
  let asked: 'insists' | 'resumes' | undefined = 'insists'
  let stillMessages: readonly ChatMessage[] | undefined
  /** How often the user has answered a prompt. */
  let answers = 0
  /** How often somebody asked, and how often that failed. */
  let asks = 0
  let failures = 0
  let isDisposed = false
  let willAnswer = false
  let warnedAgain: string | undefined

  let chat = open()
  let unsubscribe = chat.subscribe(heard)

  function open(initialState?: ChatState): CapturableChat {
    return createChat({
      client,
      conversationId,
      initialState,
      callbacks: () => ({
        onFinish(message) {
          const key = `${message.requestId} ${message.id}`
          note(!finished.has(key), () => `onFinish twice for ${key}`)
          finished.add(key)
          react('onFinish')
        },
        onWarning(warning) {
          if (warned.has(warning.message)) warnedAgain = warning.message
          warned.add(warning.message)
          react('onWarning')
        },
        onError(error) {
          note(isAgentError(error), () => 'onError with an error that is not typed')
          failures += 1
          note(failures <= asks, () => `onError ${failures} times, though it was asked ${asks} times`)
          endings.push(`failed ${error.code}`)
          react('onError')
        },
      }),
    })
  }

  function heard(): void {
    witness.see(chat.getSnapshot())
    // An answer that began again warns again. That it did cannot be told from a replay whose first stream was lost before.
    if (warnedAgain !== undefined) {
      const { messages } = chat.getSnapshot()
      const ofRun = messages.filter(({ requestId }) => requestId === messages.at(-1)?.requestId)
      note(
        ofRun.some(({ restarted }) => restarted === true),
        () => `onWarning twice for ${warnedAgain}`,
      )
    }
    warnedAgain = undefined
    inside('subscriber')
    if (willAnswer && !isDisposed && chat.getSnapshot().status === 'awaiting-input') call('answer')
  }

  function inside(where: InsideAct['where']): void {
    if (armed?.where !== where) return
    const { action } = armed
    armed = undefined
    onInside(where)
    call(action)
  }

  function react(where: InsideAct['where']): void {
    inside(where)
    if (mood === 'stopping') {
      isLeft = false
      stop()
    }
    if (mood !== 'throwing') return
    onThrown()
    throw new Error('the app made a mistake')
  }

  const isRunning = (): boolean => ['submitted', 'streaming', 'awaiting-input'].includes(chat.getSnapshot().status)
  /** The response of a run that has ended is read to its own end, for a moment, whatever becomes of the chat. */
  const isDraining = (): boolean => endedAt !== undefined && time.now - endedAt <= DRAIN_MS
  const ownConnections = (): LiveConnection[] =>
    [...server.live].filter((connection) => connection.conversationId === conversationId)

  /** What has been stopped does not change until somebody does something. */
  function holdStill(): void {
    if (!isRunning()) stillMessages = chat.getSnapshot().messages
  }

  /** It stops here at once; what the agent says of that comes later. */
  function stop(): void {
    const told = chat.stop()
    holdStill()
    keep(told.then(holdStill))
  }

  /** What an action promises: to settle once the run has ended, and never to reject: what it refuses, it resolves with. */
  function keep(action: Promise<unknown>): void {
    const kept = action
      .catch((error: unknown) => note(false, () => `an action rejected with ${String(error)}`))
      .finally(() => pending.delete(kept))
    pending.add(kept)
  }

  function user(how: typeof asked): void {
    asked = how
    asks += 1
    const run = runs.at(-1)
    if (run !== undefined) run.byPerson = true
    stillMessages = undefined
  }

  function call(action: Action): void {
    switch (action) {
      case 'send':
        if (isRunning()) return keep(chat.sendMessage('And then?'))
        isLeft = false
        user('insists')
        return keep(chat.sendMessage('Why do rivers meander?'))
      case 'queue':
        // It goes out by itself, some time after this.
        if (isRunning()) asks += 1
        else {
          isLeft = false
          user('insists')
        }
        return keep(chat.sendMessage('And then?', { whenBusy: 'queue' }))
      case 'regenerate':
        user('insists')
        return keep(chat.regenerate())
      case 'retry':
        user('insists')
        return keep(chat.retry())
      case 'resume':
        isLeft = false
        // An attempt the user insisted on may still wait for a free connection.
        user(asked === 'insists' ? 'insists' : 'resumes')
        return keep(chat.resume())
      case 'stop':
        isLeft = false
        server.forgetUnheard(conversationId)
        stop()
        return
      case 'disconnect': {
        const running = isRunning()
        server.forgetUnheard(conversationId)
        const asksBefore = asks
        const answersBefore = answers
        asked = undefined
        keep(chat.disconnect())
        // Unless somebody asked again from inside of it.
        if (asks > asksBefore) return
        // What the user answers from inside of it is written behind it.
        stillMessages = answers > answersBefore ? undefined : chat.getSnapshot().messages
        isLeft = running && isRunning()
        return
      }
      case 'discard': {
        const unsent = chat.getSnapshot().messages.find(({ status }) => status === 'not-sent')
        if (unsent === undefined) return
        stillMessages = undefined
        chat.discard(unsent.id)
        return
      }
      case 'answer': {
        const asked = chat
          .getSnapshot()
          .messages.flatMap(promptsOf)
          .findLast(({ state }) => state === 'open' || state === 'unconfirmed')
        // Prompts that are not open yet are answered once they are.
        willAnswer = asked === undefined
        if (asked === undefined) return
        stillMessages = undefined
        answers += 1
        return keep(chat.answer(asked.id, { type: 'option', optionId: 'yes' }))
      }
      case 'clear-error':
        return chat.clearError()
    }
  }

  return {
    conversationId,
    endings,
    runs,
    get snapshot() {
      return chat.getSnapshot()
    },
    get isRunning() {
      return isRunning()
    },
    get isLeft() {
      return isLeft
    },
    get couldBeMore() {
      const last = chat.getSnapshot().messages.at(-1)
      if (last?.status === 'failed') return last.error?.code !== 'agent_error'
      return last?.status === 'incomplete' || last?.status === 'not-sent'
    },
    call,
    arm(act) {
      armed = act
    },
    setMood(next) {
      mood = next
      if (next === 'calm') armed = undefined
    },
    takeOver() {
      const before = chat
      server.forgetUnheard(conversationId)
      keep(before.disconnect())
      const state = before.capture()
      unsubscribe()
      keep(before.dispose())
      for (const run of runs) run.isTakenOver = true
      for (const requestId of made) madeBefore.add(requestId)
      made.clear()
      isLeft = false
      armed = undefined
      user('resumes')
      chat = open(state)
      unsubscribe = chat.subscribe(heard)
      witness.see(chat.getSnapshot())
      keep(chat.resume())
    },
    onRequest(requestId) {
      note(!isDisposed, () => 'a request after dispose()')
      note(!made.has(requestId), () => `request ${requestId} is made a second time`)
      if (madeBefore.has(requestId)) server.forgetBody(requestId)
      made.add(requestId)
      inside('createRequest')
    },
    onAttempt(requestId, attempt) {
      if (attempt === 0) runs.push({ times: [], byPerson: false, isTakenOver: false })
      runs.at(-1)?.times.push(time.now)
      if (attempt > 0 && asked !== 'insists') {
        const floor = server.floorOf(requestId)
        note(
          floor === undefined || time.clock.date() >= floor,
          () => `an attempt ${(floor ?? 0) - time.clock.date()} ms before the server allowed it`,
        )
      }
      if (attempt > 0 && asked === undefined)
        note(device.isOnline || device.isShared, () => 'an attempt while offline that nobody asked for')
      asked = undefined
      note(!isLeft, () => 'an attempt after disconnect()')
      note(!isDisposed, () => 'an attempt after dispose()')
    },
    noteEnding() {
      const { status, messages } = chat.getSnapshot()
      endings.push(status === 'ready' ? (messages.at(-1)?.status ?? 'nothing') : 'given up')
    },
    check() {
      const snapshot = chat.getSnapshot()
      witness.see(snapshot)
      endedAt = isRunning() ? undefined : (endedAt ?? time.now)
      const isQuiet = isDraining() || ownConnections().length === 0
      promise(!isLeft || isQuiet, () => 'a live connection after disconnect()')
      if (!isRunning()) promise(isQuiet, () => `a live connection while the chat is ${snapshot.status}`)
      if (stillMessages !== undefined)
        promise(
          isUnwritten(stillMessages, snapshot.messages),
          () => 'something was written after stop() or disconnect()',
        )
    },
    async dispose(pass) {
      const wasDraining = isDraining()
      keep(chat.dispose())
      isDisposed = true
      const { messages } = chat.getSnapshot()
      for (const action of ACTIONS) call(action)
      await pass()
      promise(pending.size === 0, () => `${pending.size} actions never settled`)
      promise(chat.getSnapshot().messages.length <= messages.length, () => 'something was asked after dispose()')
      promise(wasDraining || ownConnections().length === 0, () => 'a live connection after dispose()')
      unsubscribe()
    },
  }
}
