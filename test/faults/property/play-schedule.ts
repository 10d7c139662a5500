import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import { loadRareRequests, loadRarePackets } from '../../../src/protocols/cap/load-on-demand.ts'
import { loadCommandsModule } from '../../../src/state/chat.ts'
import { assertNothingLeft, assertPaced } from './aftermath.ts'
import type { ChatUnderTest } from './chat-under-test.ts'
import { createChatUnderTest } from './chat-under-test.ts'
import { promise } from './invariants.ts'
import { createKeyring } from './keyring.ts'
import type { Act, Schedule } from './schedule.ts'
import { virtualFrames } from './virtual-frames.ts'
import { createVirtualServer } from './virtual-server.ts'
import { createVirtualDevice, createVirtualTime, drained } from './virtual-world.ts'
import { watched } from './watched-client.ts'

// Loaded on demand; loaded before, nothing but promises remains.
await Promise.all([loadRareRequests(), loadCommandsModule(), loadRarePackets()])

const TIMEOUT_MS = 60_000
/** Bytes that complete nothing count for five timeouts, and then the silence begins. */
const LONGEST_PARTIAL_MS = 6 * TIMEOUT_MS
/** By then every command is known or given up. */
const COMMANDS_MS = 300_000
/** No schedule needs more; one that does goes in a circle. */
const MOST_EVENTS = 40_000

/** What one schedule met, for the report. */
export interface Tally {
  readonly met: ReadonlyMap<string, number>
  readonly posts: number
  readonly endings: readonly string[]
}

/**
 * Plays a schedule against the real client, adapter, decoder, session and conversation, in virtual time.
 * @throws BrokenPromise when the library does what it never may
 */
export async function playSchedule(schedule: Schedule): Promise<Tally> {
  const time = createVirtualTime()
  const device = createVirtualDevice(time, schedule.seed, schedule.place)
  const { environment } = device
  const server = createVirtualServer(schedule, time)
  const met = new Map<string, number>()
  const keyring = createKeyring(server, wait)
  let frozenUntil = 0
  let strayRejection: unknown
  let thrown = 0
  const complaints: string[] = []
  const note = (kept: boolean, words: () => string): void => {
    if (!kept) complaints.push(words())
  }
  const count = (what: string): void => void met.set(what, (met.get(what) ?? 0) + 1)

  const stray = (reason: unknown): void => {
    strayRejection = reason
  }
  process.on('unhandledRejection', stray)

  const cap = new CapClient({
    baseUrl: 'https://agent.test',
    ...(schedule.frames === true
      ? { transport: virtualFrames(server.fetch, { ...time.clock, after: time.after }) }
      : { fetch: server.fetch }),
    timeoutMs: TIMEOUT_MS,
    environment,
    apiKey: (context) => keyring.apiKey(context),
    context: async () => {
      if (schedule.contextMs > 0) await wait(schedule.contextMs)
      return {}
    },
  })
  if (schedule.isBudgetEmpty === true) while (cap.budget.spend());

  const askers = new Map<string, ChatUnderTest>()
  const client = watched(cap, {
    onRequest(requestId, conversationId) {
      const asker = chats.find((chat) => chat.conversationId === conversationId)
      if (asker === undefined) return
      askers.set(requestId, asker)
      asker.onRequest(requestId)
    },
    onAttempt: (requestId, attempt) => askers.get(requestId)?.onAttempt(requestId, attempt),
  })
  const chats = Array.from({ length: schedule.chats ?? 1 }, () =>
    createChatUnderTest({
      client: () => client,
      server,
      device,
      time,
      note,
      onThrown: () => {
        thrown += 1
      },
      onInside: (where) => count(`inside ${where}`),
    }),
  )

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      time.after(ms, resolve)
    })
  }

  async function perform(chat: ChatUnderTest, act: Act): Promise<void> {
    count(act.type)
    switch (act.type) {
      case 'stop':
      case 'disconnect':
        chat.call(act.type)
        await drained()
        return
      case 'send':
      case 'queue':
      case 'regenerate':
      case 'retry':
      case 'resume':
      case 'discard':
      case 'clear-error':
      case 'answer':
        return chat.call(act.type)
      case 'takeover':
        return chat.takeOver()
      case 'inside':
        return chat.arm(act)
      case 'hide':
      case 'show':
        return device.setVisible(act.type === 'show')
      case 'offline':
      case 'online':
        return device.setOnline(act.type === 'online')
      case 'flap':
        for (let turn = 0; turn < act.times; turn += 1) {
          await perform(chat, { type: act.what === 'connection' ? 'disconnect' : 'offline' })
          await passUntil(time.now + 50)
          await perform(chat, { type: act.what === 'connection' ? 'resume' : 'online' })
          await passUntil(time.now + 50)
        }
        return
      case 'sleep':
        return time.sleep(act.ms)
      case 'freeze':
        frozenUntil = time.now + act.ms
        return time.freezeUntil(frozenUntil)
      case 'busy':
        time.busy(act.ms, act.first)
        frozenUntil = time.now
        return
      case 'expire':
        return keyring.expire(act.refresh)
      case 'callbacks':
        return chat.setMood(act.mood)
    }
  }

  function check(): void {
    promise(strayRejection === undefined, () => `nobody caught ${String(strayRejection)}`)
    promise(server.complaints.length === 0, () => server.complaints.join())
    promise(complaints.length === 0, () => complaints.join())
    for (const connection of server.live) {
      const limit = Math.max(connection.heardAt, frozenUntil) + TIMEOUT_MS + 1000
      promise(time.now <= limit, () => `a connection silent since ${connection.heardAt} is still open at ${time.now}`)
      const partialLimit = Math.max(connection.wholeAt, frozenUntil) + LONGEST_PARTIAL_MS + 1000
      promise(
        time.now <= partialLimit,
        () => `a connection that completed nothing since ${connection.wholeAt} is still open at ${time.now}`,
      )
    }
    for (const chat of chats) chat.check()
  }

  let events = 0
  async function passUntil(at: number): Promise<void> {
    for (;;) {
      await drained()
      check()
      const next = time.nextAt
      if (next === undefined || next > at) break
      promise((events += 1) < MOST_EVENTS, () => 'it goes on for ever')
      time.fireNext()
    }
    if (at !== Number.POSITIVE_INFINITY) time.freezeUntil(at)
  }

  /** Lets the run end by itself, and those of the queue after it. */
  async function passRun(chat: ChatUnderTest): Promise<void> {
    while (chat.isRunning) {
      const { phase } = chat.snapshot.connection
      if (chat.isLeft || phase === 'paused') await perform(chat, { type: 'resume' })
      await drained()
      check()
      if (!chat.isRunning) break
      const next = time.nextAt
      promise(next !== undefined, () => `nothing will ever happen again in phase ${phase}`)
      await passUntil(next ?? 0)
    }
    chat.noteEnding()
  }

  /** A retry on a good connection gets all of it. */
  async function passAll(chat: ChatUnderTest): Promise<void> {
    await passRun(chat)
    for (let again = 0; chat.couldBeMore; again += 1) {
      promise(
        again <= schedule.connections.length + schedule.steps.length,
        () => 'an answer that no good connection completes',
      )
      await perform(chat, { type: 'retry' })
      await passRun(chat)
    }
    await perform(chat, { type: 'stop' })
  }

  try {
    for (const chat of chats) await perform(chat, { type: 'send' })
    for (const { afterMs, abrupt, act, chat: index = 0 } of schedule.steps) {
      await passUntil(time.now + afterMs)
      if (abrupt === true) time.fireNext()
      const chat = chats[index % chats.length]
      if (chat !== undefined) await perform(chat, act)
      await drained()
      check()
    }
    // From now on nobody makes it harder.
    for (const chat of chats) chat.setMood('calm')
    if (schedule.endsAbruptly !== true) {
      device.setVisible(true)
      device.setOnline(true)
      for (const chat of chats) await passAll(chat)
      await passUntil(time.now + 1000)
    } else count('disposed of in the middle')

    for (const chat of chats)
      await chat.dispose(async () => {
        await drained()
        await drained()
        // A cancel, or an answer, is repeated until it is known or given up.
        if (schedule.commands !== undefined) await passUntil(time.now + COMMANDS_MS)
      })
    await drained()
    const { posts } = server
    // What the app itself still does, such as making a request, comes to its end.
    if (schedule.endsAbruptly === true) await passUntil(time.now + 1000)
    promise(server.posts === posts, () => 'an attempt after dispose()')
    promise(complaints.length === 0, () => complaints.join())
    assertNothingLeft(time, device, server)
    promise(device.reports.length === thrown, () => `${thrown} mistakes of the app, ${device.reports.length} reports`)
    promise(keyring.refreshes <= server.posts + server.commands, () => 'more keys than attempts')
    for (const chat of chats) chat.runs.forEach(assertPaced)
  } finally {
    process.off('unhandledRejection', stray)
  }
  for (const [what, times] of server.met) met.set(what, (met.get(what) ?? 0) + times)
  return { met, posts: server.posts, endings: chats.flatMap(({ endings }) => endings) }
}
