import type { Clock } from '../../../../src/base/ports/clock.ts'
import { backoff } from '../../../../src/base/backoff.ts'
import { ArcpClient, toolClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import type { LeaseChange } from '../../../../src/seam/lease.ts'
import { createArcpRuntime } from '../../../../src/runtime/arcp-runtime.ts'
import type { CapturableChat } from '../../../../src/state/chat-options.ts'
import type { ChatState } from '../../../../src/state/chat-snapshot.ts'
import { loadCommandsModule, createChat } from '../../../../src/state/chat.ts'
import { isUndecided, promptsOf } from '../../../../src/state/prompts.ts'
import { createVirtualTime, type Thread } from '../../../storage/model/virtual-time.ts'
import { createRandom } from '../../../support/create-random.ts'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'
import { promise } from '../promise.ts'
import { watchPage } from '../watch-page.ts'
import { checkLeases, type LeaseClaim } from './check-leases.ts'
import type { LeaseSchedule, LeaseStep } from './lease-schedule.ts'
import { createLeaseTool } from './lease-tool.ts'
import { createVirtualSockets } from './virtual-sockets.ts'

await Promise.all([loadArcpOnDemand(), loadCommandsModule()])

const REST_MS = 30_000
const MOST_RESTS = 6

/** Plays a tool that works under a lease, with the real client, chat and runtime, in virtual time. Rejects with the promise that was broken. */
export async function playLeases(schedule: LeaseSchedule): Promise<ReadonlyMap<string, number>> {
  const random = createRandom(schedule.seed)
  const time = createVirtualTime(random)
  const server = time.createThread()
  const { calls, tool } = createLeaseTool(schedule, server)
  const tally = new Map<string, number>()
  const claims: LeaseClaim[] = []
  const runtime = createArcpRuntime({
    tools: { write: tool },
    environment: { clock: server.clock, uuid: createUuids('9'), report: note },
  })
  const sockets = createVirtualSockets(time, random, server, runtime.accept)
  const uuid = createUuids('8')
  let fault: Error | undefined
  let grants = 0
  let page = open(undefined)

  function note(cause: unknown): void {
    fault ??= new Error('A callback failed.', { cause })
  }

  function count(what: string): void {
    tally.set(what, (tally.get(what) ?? 0) + 1)
  }

  function claim(by: string, leaseId?: string): void {
    claims.push({ by, at: time.now, leaseId })
  }

  function open(state: ChatState | undefined): Page {
    const thread = time.createThread()
    const arcp = new ArcpClient({
      transport: sockets.transportOf(thread),
      environment: environmentOf(thread, uuid, note, random),
      retry: backoff({ maxAttempts: 6, baseMs: 300, capMs: 1500 }),
    })
    const client = toolClient(arcp, { tool: 'write', toArguments: () => ({}) })
    const chat = createChat({ client: () => client, conversationId: 'c1', initialState: state })
    const watch = watchPage(() => claim('A message said cancelled'))
    const ended = new Set<string>()
    chat.subscribe(() => {
      try {
        const snapshot = chat.getSnapshot()
        watch.see(snapshot)
        for (const part of snapshot.messages.flatMap(({ parts }) => parts)) {
          if (part.type !== 'lease') continue
          const { id, lease } = part
          promise(lease.state !== 'active' || !ended.has(id), () => `A lease that has ended is shown as active again.`)
          if (lease.state === 'active' || ended.has(id)) continue
          ended.add(id)
          count(`lease shown as ${lease.state}`)
          claim(`The lease was shown as ${lease.state}`, id)
        }
      } catch (error) {
        // Only a broken promise is thrown there.
        fault ??= error as Error
      }
    })
    return { thread, chat, arcp }
  }

  async function change(wish: LeaseChange): Promise<void> {
    const part = page.chat
      .getSnapshot()
      .messages.flatMap(({ parts }) => parts)
      .find(({ type }) => type === 'lease')
    if (part === undefined) return
    const { status } = await page.chat.changeLease(part.id, wish)
    count(`${wish.type} ${status}`)
    if (wish.type === 'revoke' && status === 'accepted') claim('A revocation was accepted', part.id)
  }

  async function answer(isGranted: boolean): Promise<void> {
    const prompt = page.chat.getSnapshot().messages.flatMap(promptsOf).find(isUndecided)
    if (prompt === undefined) return
    const option = prompt.options?.find(({ kind }) => kind === 'allow-once' || kind === 'allow-always')
    if (isGranted) grants += 1
    const outcome = await page.chat.answer(
      prompt.id,
      isGranted && option !== undefined
        ? { type: 'option', optionId: option.id, digest: prompt.subject?.digest }
        : { type: 'decline' },
    )
    count(`${isGranted ? 'grant' : 'deny'} ${outcome.status}`)
  }

  async function stop(): Promise<void> {
    const result = await page.chat.stop()
    count(`stop ${result}`)
    if (result === 'cancelled') claim('stop() said cancelled')
  }

  function act(step: LeaseStep): void {
    const { thread, chat, arcp } = page
    switch (step.do) {
      case 'cut':
        return sockets.cut()
      case 'outage':
        return sockets.fail(step.ms)
      case 'block':
        return thread.block(step.ms)
      case 'server-block':
        return server.block(step.ms)
      case 'withdraw': {
        const leaseId = calls.at(-1)?.leaseId
        if (leaseId !== undefined) server.post('user', 0, () => withdraw(leaseId))
        return
      }
      case 'reload': {
        const state = chat.capture()
        void chat.disconnect()
        arcp.close()
        thread.end()
        page = open(state)
        return void page.chat.resume()
      }
      default:
        thread.post('user', 0, () => {
          if (step.do === 'stop') void stop()
          else if (step.do === 'hide') void chat.disconnect()
          else if (step.do === 'show') void chat.resume()
          else if (step.do === 'grant' || step.do === 'deny') void answer(step.do === 'grant')
          else void change(step.do === 'extend' ? { type: 'extend', ms: step.ms } : { type: 'revoke' })
        })
    }
  }

  function withdraw(leaseId: string): void {
    try {
      runtime.revokeLease(leaseId, 'It is no longer needed.')
    } catch {
      // It has ended before.
    }
  }

  count('wire: arcp')
  void page.chat.sendMessage('Write it down.')
  for (const step of schedule.steps) {
    await time.runUntil(time.now + step.after)
    count(step.do)
    act(step)
    if (fault !== undefined) throw fault
  }
  sockets.heal()
  const isIdle = (): boolean => ['ready', 'error'].includes(page.chat.getSnapshot().status)
  const asks = (): boolean => page.chat.getSnapshot().messages.flatMap(promptsOf).some(isUndecided)
  for (let rest = 0; rest < MOST_RESTS && (rest === 0 || !isIdle() || asks()); rest += 1) {
    void page.chat.resume()
    await time.runUntil(time.now + REST_MS)
    // The prompt of a run that broke can be answered as well.
    void answer(false)
  }
  await time.runUntil(time.now + REST_MS)
  if (fault !== undefined) throw fault
  promise(isIdle(), () => `A chat is still ${page.chat.getSnapshot().status} when everything has ended.`)
  for (const prompt of page.chat.getSnapshot().messages.flatMap(promptsOf)) {
    count(`shown ${prompt.state}`)
    promise(
      prompt.state !== 'open' && prompt.state !== 'sending',
      () => `A permission is still ${prompt.state} when everything has ended.`,
    )
  }
  checkLeases(calls, claims, grants)
  for (const { uses } of calls) if (uses.length > 0) count('done under a lease')
  page.arcp.close()
  await runtime.close()
  return tally
}

interface Page {
  readonly thread: Thread
  readonly chat: CapturableChat
  readonly arcp: ArcpClient
}

function createUuids(mark: string): () => string {
  let ids = 0
  return () => `00000000-0000-4000-${mark}000-${String((ids += 1)).padStart(12, '0')}`
}

function environmentOf(thread: Thread, uuid: () => string, report: (cause: unknown) => void, random: () => number) {
  const clock: Clock = thread.clock
  return {
    clock,
    random,
    online: { isOnline: () => true, subscribe: () => () => {} },
    visibility: { isVisible: () => true, subscribe: () => () => {} },
    frames: { next: (callback: () => void) => thread.post('timer', 16, callback) },
    uuid,
    report,
  }
}
