import type { CapturableChat, ChatOptions } from '../../state/chat-options.ts'
import type { ChatState } from '../../state/chat-state.ts'
import { createChat } from '../../state/chat.ts'
import type { SendResult } from '../../state/send-result.ts'
import { ACCEPTED, QUEUED } from '../../state/send-result.ts'
import type { ChatStorage } from './chat-storage.ts'
import { inTime } from '../disk/in-time.ts'
import { performCall } from './perform-call.ts'
import type { Replicator } from './replicator.ts'
import { createReplicator } from './replicator.ts'
import type { CreateError } from '../records/stored-message.ts'
import type { TabChannel } from './tab-channel.ts'
import type { ChatCall } from './tab-message.ts'
import { restoreRun } from '../records/restore-run.ts'
import { isLive } from '../records/thread-of.ts'
import type { VersionedState } from '../records/versioned-state.ts'
import { LONGEST_WRITE_MS, createWriteAhead } from '../disk/write-ahead.ts'

/** Calls whose ids are kept to recognise them; a call that is still repeated after so many others has no caller any more. */
const REMEMBERED_CALLS = 200

/** The chat itself, in the tab that leads, with everything that only the leader does. */
export interface LeadingChat {
  readonly chat: CapturableChat
  readonly term: number
  readonly replicator: Replicator
  /** Whether its term was given out by the disk. Without that nothing that stands there is written over. */
  readonly isFenced: boolean
  /**
   * Leads on under a later term of the disk, and writes everything anew.
   * @param found what the disk has; when it could not be read before, it is put in front of what was said here since, and
   * its run, if it had one, is over
   */
  renew(term: number, found: VersionedState | undefined): void
  /** Performs a call once, however often it is asked to. Resolves when the call has settled and what it did is stored; what was refused at once. */
  perform(id: string, call: ChatCall, isRepeated: boolean): Promise<SendResult>
  /** Whether a call has not settled yet: until then the tab that made it sees to it. */
  isPerforming(id: string): boolean
  /** All of it, at this moment. */
  capture(): VersionedState
  /** Lets go of the chat, which goes on neither here nor on the disk. */
  stop(): void
}

export interface LeadingChatOptions {
  readonly options: ChatOptions
  readonly home: ChatStorage
  readonly channel: TabChannel | undefined
  readonly term: number
  readonly isFenced: boolean
  /** Whether what stands on the disk is known. */
  readonly isRead: boolean
  /** Where the last leader stood. */
  readonly from: VersionedState
  /** What the disk has already. */
  readonly saved: ChatState | undefined
  /** Ids of messages that stand on the disk, queued ones too. */
  readonly stored: Iterable<string>
  readonly createError: CreateError
  onPublished(): void
}

export function createLeadingChat({ options, home, channel, term: claimed, isFenced: isClaimed, isRead, from, saved, stored, createError, onPublished }: LeadingChatOptions): LeadingChat {
  const { clock } = home.ports
  const now = clock.date()
  const writeAhead = createWriteAhead(clock, async () => replicator.save())
  const initialState = restoreRun(from.state, { protocol: options.client().protocol, now, isOld: now - from.revision > home.resumeWithinMs })
  const { run } = initialState
  // Its session writes to it: the state it is from stays what it was.
  const streams = new Map([...(run?.resumePoint.streams ?? [])].map(([id, stream]) => [id, { ...stream }]))
  const chat = createChat({ ...options, client: () => writeAhead(options.client()), initialState: { ...initialState, run: run && { ...run, resumePoint: { ...run.resumePoint, streams } } } })
  const performing = new Map<string, Promise<SendResult>>()
  let { revision, performed } = from
  let term = claimed
  let isFenced = isClaimed
  let isKnown = isRead

  function capture(): VersionedState {
    revision = Math.max(revision + 1, clock.date())
    // A term that the disk has not given out says nothing about what is newer there.
    return { state: chat.capture(), term: isFenced ? term : from.term, revision, performed }
  }

  const replicator = createReplicator({ chat, home, channel, saved, stored, capture, term: () => term, fence: () => (isFenced ? term : 0) })
  const unsubscribe = chat.subscribe(() => {
    const before = shown
    shown = chat.getSnapshot()
    onPublished()
    replicator.note(before, shown)
  })
  let shown = chat.getSnapshot()

  function add(earlier: VersionedState): void {
    const { messages, queued } = restoreRun(earlier.state, { protocol: options.client().protocol, now: clock.date(), isOld: true })
    chat.prepend(messages)
    for (const { id, message } of queued) void chat.sendMessage(message, { whenBusy: 'queue' }, id)
  }

  function isPerformed(id: string): boolean {
    const { messages, queued } = chat.getSnapshot()
    return performed.includes(id) || messages.some(({ requestId }) => requestId === id) || queued.some((waiting) => waiting.id === id)
  }

  function whenRunEnded(id: string): Promise<SendResult> {
    return new Promise((resolve) => {
      const look = (): void => {
        const { messages, queued } = chat.getSnapshot()
        if (isLive(messages, id)) return
        stopLooking()
        resolve(queued.some((waiting) => waiting.id === id) ? QUEUED : ACCEPTED)
      }
      const stopLooking = chat.subscribe(look)
      look()
    })
  }

  function carryOut(id: string, call: ChatCall, isRepeated: boolean): Promise<SendResult | void> {
    const before = chat.getSnapshot()
    const settled = performCall(chat, call, { id, isRepeated, createError })
    // What was refused, or changed nothing, may be asked for again.
    if (chat.getSnapshot() !== before) performed = [...performed, id].slice(-REMEMBERED_CALLS)
    return settled
  }

  async function once(id: string, call: ChatCall, isRepeated: boolean): Promise<SendResult> {
    const result = await (isPerformed(id) ? whenRunEnded(id) : carryOut(id, call, isRepeated))
    if (result?.status === 'refused') return result
    await inTime(replicator.save(), clock, LONGEST_WRITE_MS)
    return result ?? ACCEPTED
  }

  return {
    chat,
    get term() {
      return term
    },
    replicator,
    get isFenced() {
      return isFenced
    },
    renew(later, found) {
      if (!isKnown && found !== undefined) add(found)
      isKnown = true
      term = later
      isFenced = true
      replicator.refused()
      void replicator.save()
    },
    perform(id, call, isRepeated) {
      const promise = performing.get(id) ?? once(id, call, isRepeated)
      performing.set(id, promise)
      const forget = (): void => void performing.delete(id)
      promise.then(forget, forget)
      return promise
    },
    isPerforming: (id) => performing.has(id),
    capture,
    stop() {
      replicator.stop()
      unsubscribe()
    },
  }
}
