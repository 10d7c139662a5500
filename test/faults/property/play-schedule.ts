import { isAgentError } from '../../../src/base/agent-error.ts'
import { CapClient } from '../../../src/clients/cap-client.ts'
import { createChat } from '../../../src/state/chat.ts'
import type { Chat } from '../../../src/state/chat-snapshot.ts'
import type { RunLog } from './aftermath.ts'
import { assertNothingLeft, assertPaced } from './aftermath.ts'
import { createWitness, promise } from './invariants.ts'
import { createKeyring } from './keyring.ts'
import type { Act, Schedule } from './schedule.ts'
import { createVirtualServer } from './virtual-server.ts'
import { createVirtualDevice, createVirtualTime, drained } from './virtual-world.ts'
import { watched } from './watched-client.ts'

const TIMEOUT_MS = 60_000
/** No schedule needs more; one that does goes in a circle. */
const MOST_EVENTS = 20_000

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
  const witness = createWitness(server.streams)
  const runs: RunLog[] = []
  const met = new Map<string, number>()
  const endings: string[] = []
  const finished = new Set<string>()
  const warned = new Set<unknown>()
  const pending = new Set<Promise<void>>()
  const keyring = createKeyring(server, wait)
  let mood: (Act & { type: 'callbacks' })['mood'] = 'calm'
  let left = false
  let asked = true
  let frozenUntil = 0
  let strayRejection: unknown
  let stillMessages: unknown
  let failed = false
  let thrown = 0
  /** Broken promises that came to light inside the library, which would only take them for faults of an adapter. */
  const complaints: string[] = []
  const note = (kept: boolean, words: () => string): void => {
    if (!kept) complaints.push(words())
  }

  const stray = (reason: unknown): void => {
    strayRejection = reason
  }
  process.on('unhandledRejection', stray)

  const cap = new CapClient({
    baseUrl: 'https://agent.test',
    fetch: server.fetch,
    timeoutMs: TIMEOUT_MS,
    environment,
    apiKey: (context) => keyring.apiKey(context),
    context: async () => {
      if (schedule.contextMs > 0) await wait(schedule.contextMs)
      return {}
    },
  })

  const client = watched(cap, (requestId, attempt) => {
    if (attempt === 0) runs.push({ times: [], byPerson: false })
    runs.at(-1)?.times.push(time.now)
    if (attempt > 0 && !asked) {
      const floor = server.notBefore
      note(floor === undefined || floor.requestId !== requestId || time.now >= floor.at, () => `an attempt at ${time.now}, asked not to come before ${floor?.at}`)
      note(device.isOnline || schedule.place === 'shared', () => 'an attempt while offline that nobody asked for')
    }
    asked = false
    note(!left, () => 'an attempt after disconnect()')
  })

  /** What has been stopped does not change until somebody does something. */
  function holdStill(): void {
    if (!isRunning()) stillMessages = chat.getSnapshot().messages
  }

  function react(): void {
    if (mood === 'stopping') keep(chat.stop().then(holdStill))
    if (mood !== 'throwing') return
    thrown += 1
    throw new Error('the app made a mistake')
  }

  const chat: Chat = createChat({
    client: () => client,
    conversationId: environment.uuid(),
    callbacks: () => ({
      onFinish(message) {
        const key = `${message.requestId} ${message.id}`
        note(!finished.has(key), () => `onFinish twice for ${key}`)
        finished.add(key)
        react()
      },
      onWarning(warning) {
        note(!warned.has(warning.message), () => `onWarning twice for ${warning.message}`)
        warned.add(warning.message)
        react()
      },
      onError(error) {
        note(isAgentError(error), () => 'onError with an error that is not typed')
        note(!failed, () => 'onError twice, though nobody asked again')
        failed = true
        endings.push(`failed ${error.code}`)
        react()
      },
    }),
  })
  const unsubscribe = chat.subscribe(() => witness.see(chat.getSnapshot()))

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      time.after(ms, resolve)
    })
  }

  /** What a verb promises: to settle once the run has ended; what it refuses, it refuses with a typed error. */
  function keep(verb: Promise<void>): void {
    const kept = verb.catch((error: unknown) => promise(isAgentError(error), () => `a verb rejected with ${String(error)}`)).finally(() => pending.delete(kept))
    pending.add(kept)
  }

  function person(): void {
    asked = true
    failed = false
    const run = runs.at(-1)
    if (run !== undefined) run.byPerson = true
    stillMessages = undefined
  }

  async function perform(act: Act): Promise<void> {
    met.set(act.type, (met.get(act.type) ?? 0) + 1)
    switch (act.type) {
      case 'send':
        if (isRunning()) return keep(chat.sendMessage('And then?'))
        left = false
        person()
        return keep(chat.sendMessage('Why do rivers meander?'))
      case 'regenerate':
        person()
        return keep(chat.regenerate())
      case 'retry':
        person()
        return keep(chat.retry())
      case 'resume':
        left = false
        person()
        return keep(chat.resume())
      case 'stop':
        left = false
        await chat.stop()
        await drained()
        promise(server.live.size === 0, () => 'a live connection after stop()')
        holdStill()
        return
      case 'disconnect': {
        const running = chat.getSnapshot().status === 'submitted' || chat.getSnapshot().status === 'streaming'
        await chat.disconnect()
        stillMessages = chat.getSnapshot().messages
        left = running && chat.getSnapshot().status !== 'ready' && chat.getSnapshot().status !== 'error'
        await drained()
        if (left) promise(server.live.size === 0, () => 'a live connection after disconnect()')
        return
      }
      case 'discard': {
        const unsent = chat.getSnapshot().messages.find(({ status }) => status === 'not-sent')
        stillMessages = undefined
        if (unsent !== undefined) chat.discard(unsent.id)
        return
      }
      case 'clear-error':
        return chat.clearError()
      case 'hide':
      case 'show':
        return device.setVisible(act.type === 'show')
      case 'offline':
      case 'online':
        return device.setOnline(act.type === 'online')
      case 'flap':
        for (let turn = 0; turn < act.times; turn += 1) {
          await perform({ type: act.what === 'line' ? 'disconnect' : 'offline' })
          await passUntil(time.now + 50)
          await perform({ type: act.what === 'line' ? 'resume' : 'online' })
          await passUntil(time.now + 50)
        }
        return
      case 'sleep':
        return time.sleep(act.ms)
      case 'freeze':
        frozenUntil = time.now + act.ms
        return time.freezeUntil(frozenUntil)
      case 'expire':
        return keyring.expire(act.refresh)
      case 'callbacks':
        mood = act.mood
    }
  }

  function check(): void {
    promise(strayRejection === undefined, () => `nobody caught ${String(strayRejection)}`)
    promise(server.complaints.length === 0, () => server.complaints.join())
    promise(complaints.length === 0, () => complaints.join())
    promise(!left || server.live.size === 0, () => 'a live connection after disconnect()')
    for (const line of server.live) {
      const patience = Math.max(line.heardAt, frozenUntil) + TIMEOUT_MS + 1000
      promise(time.now <= patience, () => `a line silent since ${line.heardAt} is still open at ${time.now}`)
    }
    const snapshot = chat.getSnapshot()
    witness.see(snapshot)
    if (snapshot.status === 'ready' || snapshot.status === 'error') promise(server.live.size === 0, () => `a live connection while the chat is ${snapshot.status}`)
    if (stillMessages !== undefined) promise(snapshot.messages === stillMessages, () => 'something was written after stop() or disconnect()')
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

  const isRunning = (): boolean => ['submitted', 'streaming'].includes(chat.getSnapshot().status)

  /** Whether the last run broke off for a reason that is over by now. */
  function couldBeMore(): boolean {
    const last = chat.getSnapshot().messages.at(-1)
    if (last?.status === 'failed') return last.error?.code !== 'agent_error'
    return last?.status === 'incomplete' || last?.status === 'not-sent'
  }

  /** Lets the run end by itself. */
  async function passRun(): Promise<void> {
    while (isRunning()) {
      const phase = chat.getSnapshot().connection.phase
      if (left || phase === 'paused') await perform({ type: 'resume' })
      await drained()
      check()
      if (!isRunning()) break
      const next = time.nextAt
      promise(next !== undefined, () => `nothing will ever happen again in phase ${phase}`)
      await passUntil(next ?? 0)
    }
    const { status, messages } = chat.getSnapshot()
    endings.push(status === 'ready' ? (messages.at(-1)?.status ?? 'nothing') : 'given up')
  }

  try {
    await perform({ type: 'send' })
    for (const { afterMs, abrupt, act } of schedule.steps) {
      await passUntil(time.now + afterMs)
      if (abrupt === true) time.fireNext()
      await perform(act)
      await drained()
      check()
    }
    // From now on nobody makes it harder.
    mood = 'calm'
    device.setVisible(true)
    device.setOnline(true)
    await passRun()
    // Whoever asks again on a good line gets all of it.
    for (let again = 0; couldBeMore(); again += 1) {
      promise(again <= schedule.lines.length + schedule.steps.length, () => 'an answer that no good line completes')
      await perform({ type: 'retry' })
      await passRun()
    }
    await perform({ type: 'stop' })
    await passUntil(time.now + 1000)
    await Promise.all([...pending].map((verb) => Promise.race([verb, drained().then(drained).then(() => promise(false, () => 'a verb never settled'))])))

    await chat.dispose()
    unsubscribe()
    await drained()
    check()
    assertNothingLeft(time, device, server)
    promise(device.reports.length === thrown, () => `${thrown} mistakes of the app, ${device.reports.length} reports`)
    promise(keyring.refreshes <= server.posts, () => 'more keys than attempts')
    runs.forEach(assertPaced)
  } finally {
    process.off('unhandledRejection', stray)
  }
  for (const [what, times] of server.met) met.set(what, (met.get(what) ?? 0) + times)
  return { met, posts: server.posts, endings }
}
