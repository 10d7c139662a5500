import { type CapturableChat, type ChatOptions, type SendOptions, ACCEPTED, QUEUED } from '../../state/chat-options.ts'
import type { ChatState } from '../../state/chat-snapshot.ts'
import { createChat } from '../../state/chat.ts'
import type { ChatStorage } from './chat-storage.ts'
import { inTime, LONGEST_WRITE_MS, createWriteAhead } from './write-ahead.ts'
import type { CallResult, ChatCall, TabChannel } from './tab-message.ts'
import { type Replicator, createReplicator } from './replicator.ts'
import { type CreateError, unpackMessage } from '../records/stored-message.ts'
import { restoreRun } from '../records/restore-run.ts'
import { isRunLive } from '../records/read-record.ts'
import type { VersionedState } from '../records/versioned-state.ts'

/**
 * Number of call ids that are stored to recognise repeated calls. After so many later calls, the caller of an older one
 * no longer exists.
 */
const REMEMBERED_CALLS = 200

/** The chat itself, or its agent, knows those that it has had before. */
const REPEATED: ReadonlySet<ChatCall['action']> = new Set(['answer', 'stop', 'changeLease', 'changeState'])

/** The chat itself, in the tab that leads, with everything that only the leader does. */
export interface LeadingChat {
  readonly chat: CapturableChat
  readonly term: number
  readonly replicator: Replicator
  /** Whether its term was issued by the disk. Otherwise nothing on the disk is overwritten. */
  readonly isFenced: boolean
  /**
   * Continues to lead under a later term of the disk, and writes everything again.
   * @param found the state on the disk; if it could not be read before, its messages precede those of this tab, and its run has ended
   */
  renew(term: number, found: VersionedState | undefined): void
  /** Performs a call once, however often it is sent. Resolves when the call has settled and its result is saved, or an edit of the shared state is sent; immediately for a refusal. */
  perform(id: string, call: ChatCall, isRepeated: boolean): Promise<CallResult>
  /** Whether it performs an answer to a prompt, or a change of a lease. */
  readonly isAnswering: boolean
  /** Whether a call has not settled yet: until then the tab that made it sees to it. */
  isPerforming(id: string): boolean
  /** All of it, at this moment. */
  capture(): VersionedState
  /** Stops the chat: it neither runs nor writes to the disk any more. */
  stop(): void
}

export interface LeadingChatOptions {
  readonly options: ChatOptions
  readonly storage: ChatStorage
  readonly channel: TabChannel | undefined
  readonly term: number
  readonly isFenced: boolean
  /** Whether the saved state is known. */
  readonly isRead: boolean
  /** State of the last leader. */
  readonly from: VersionedState
  /** What the disk has already. */
  readonly saved: ChatState | undefined
  /** Ids of messages that are on the disk, queued ones too. */
  readonly stored: Iterable<string>
  readonly createError: CreateError
  onPublished(): void
}

export function createLeadingChat({
  options,
  storage,
  channel,
  term: acquired,
  isFenced: isTermFenced,
  isRead,
  from,
  saved,
  stored,
  createError,
  onPublished,
}: LeadingChatOptions): LeadingChat {
  const { clock } = storage.ports
  const now = clock.date()
  const writeAhead = createWriteAhead({
    clock,
    save: async () => replicator.save(),
    isStopped: (id) =>
      chat.getSnapshot().messages.some(({ requestId, status }) => requestId === id && status === 'stopped'),
  })
  const initialState = restoreRun(from.state, {
    protocol: options.client().protocol,
    now,
    isOld: now - from.revision > storage.resumeWithinMs,
  })
  const { run } = initialState
  // A copy, because the session changes it and the initial state must not change.
  const streams = new Map([...(run?.resumePoint.streams ?? [])].map(([id, stream]) => [id, { ...stream }]))
  const chat = createChat({
    ...options,
    client: () => writeAhead(options.client()),
    initialState: { ...initialState, run: run && { ...run, resumePoint: { ...run.resumePoint, streams } } },
  })
  const performing = new Map<string, Promise<CallResult>>()
  /** Those of the calls being performed that the agent has to reply to. */
  const answering = new Set<string>()
  let { revision, performed } = from
  let term = acquired
  let isFenced = isTermFenced
  let isKnown = isRead
  /** Ids of calls that stopped a run before it was sent, while the disk may still have it as one to be sent. */
  const unwritten = new Set<string>()

  function capture(): VersionedState {
    revision = Math.max(revision + 1, clock.date())
    // A term that the disk did not issue does not order states, so the term of the loaded state is used.
    return { state: chat.capture(), term: isFenced ? term : from.term, revision, performed }
  }

  const replicator = createReplicator({
    chat,
    storage,
    channel,
    saved,
    stored,
    capture,
    term: () => term,
    fence: () => (isFenced ? term : 0),
  })
  const unsubscribe = chat.subscribe(() => {
    const before = shown
    shown = chat.getSnapshot()
    onPublished()
    replicator.note(before, shown)
  })
  let shown = chat.getSnapshot()

  function add(earlier: VersionedState): void {
    const { messages, queued } = restoreRun(earlier.state, {
      protocol: options.client().protocol,
      now: clock.date(),
      isOld: true,
    })
    chat.prepend(messages)
    for (const { id, message } of queued) void chat.sendMessage(message, { whenBusy: 'queue' }, id)
  }

  function isPerformed(id: string): boolean {
    const { messages, queued } = chat.getSnapshot()
    return (
      performed.includes(id) ||
      messages.some(
        ({ requestId, parts }) => requestId === id || parts.some((part) => part.type === 'said' && part.id === id),
      ) ||
      queued.some((waiting) => waiting.id === id)
    )
  }

  function whenRunEnded(id: string): Promise<CallResult> {
    return new Promise((resolve) => {
      const look = (): void => {
        const { messages, queued } = chat.getSnapshot()
        if (isRunLive(messages, id)) return
        stopLooking()
        resolve(queued.some((waiting) => waiting.id === id) ? QUEUED : ACCEPTED)
      }
      const stopLooking = chat.subscribe(look)
      look()
    })
  }

  function carryOut(id: string, call: ChatCall, isRepeated: boolean): Promise<CallResult | void> {
    const before = chat.getSnapshot()
    const settled = performCall(chat, call, { id, isRepeated, createError })
    // A call that was refused or changed nothing may be repeated, so its id is not stored.
    if (chat.getSnapshot() !== before && call.action !== 'changeState')
      performed = [...performed, id].slice(-REMEMBERED_CALLS)
    return settled
  }

  /** Whether there is a run that the agent does not know yet. */
  function isUnsent(): boolean {
    const { run } = chat.capture()
    return run?.ended === false && run.resumePoint.attempts === 0
  }

  async function once(id: string, call: ChatCall, isRepeated: boolean): Promise<CallResult> {
    if (call.action === 'stop' && isUnsent()) unwritten.add(id)
    const isKnown = !REPEATED.has(call.action) && isPerformed(id)
    const result = await (isKnown ? whenRunEnded(id) : carryOut(id, call, isRepeated))
    // An answer was written before it was refused: that its prompt takes another one has to be written as well.
    if (result?.status === 'refused' && call.action !== 'answer') return result
    // A tab shows the result of its call when that settles.
    replicator.tell(false)
    // Every key that the user presses may be an edit of the state: it is written with those that follow.
    if (call.action === 'changeState') return result ?? ACCEPTED
    const written = [...unwritten]
    if (await inTime(replicator.save(), clock, LONGEST_WRITE_MS)) for (const each of written) unwritten.delete(each)
    // A page that loads before the stop is written sends what the disk has.
    return unwritten.size > 0 && result?.status === 'cancelled' ? { status: 'left' } : (result ?? ACCEPTED)
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
      if (call.action === 'answer' || call.action === 'changeLease') answering.add(id)
      const forget = (): void => {
        performing.delete(id)
        answering.delete(id)
      }
      promise.then(forget, forget)
      return promise
    },
    get isAnswering() {
      return answering.size > 0
    },
    isPerforming: (id) => performing.has(id),
    capture,
    stop() {
      replicator.stop()
      unsubscribe()
    },
  }
}

interface PerformOptions {
  /** Of the call: what begins a run begins it under this request id. */
  readonly id: string
  /** A leader whose state is lost may have performed it: it must not be refused because another run is active now. */
  readonly isRepeated: boolean
  readonly createError: CreateError
}

/** Performs a call of this tab or of another one. Resolves with what became of it, where it was something to send. */
async function performCall(
  chat: CapturableChat,
  call: ChatCall,
  { id, isRepeated, createError }: PerformOptions,
): Promise<CallResult | void> {
  switch (call.action) {
    case 'sendMessage': {
      const { whenBusy } = call.options
      const repeated: SendOptions = { whenBusy: whenBusy === 'say' ? 'say' : 'queue' }
      return chat.sendMessage(call.message, isRepeated ? repeated : call.options, id)
    }
    case 'edit':
      return chat.edit(call.messageId, call.message, id)
    case 'regenerate':
      return chat.regenerate(call.messageId, { metadata: call.metadata }, id)
    case 'retry':
      return chat.retry(call.messageId, id)
    case 'discard':
      return void chat.discard(call.messageId)
    case 'prepend':
      return chat.prepend(call.messages.map((message) => unpackMessage(message, createError)))
    case 'stop':
      // A stop that comes late must not end another run.
      return { status: await (call.requestId === undefined ? chat.stop() : chat.stopRun(call.requestId)) }
    case 'answer':
      return chat.answer(call.promptId, call.answer, id)
    case 'settlePrompts':
      return chat.settlePrompts(call.outcomes)
    case 'changeLease':
      return chat.changeLease(call.leaseId, call.change, id)
    case 'changeState':
      return void chat.changeState(call.edit)
    case 'resume':
      return chat.resume()
    case 'clearError':
      return chat.clearError()
  }
}
