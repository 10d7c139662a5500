import type { AgentEvent } from '../agent-event.ts'
import type { Delivery } from '../protocol.ts'
import { createAnswerIds } from './answer-ids.ts'
import { toProtocolError } from './errors.ts'
import type { ArcpJob, ArcpLease, ArcpPrompt, ArcpPromptState, ArcpState } from './fold/arcp-state.ts'
import { EMPTY_STATE } from './fold/arcp-state.ts'
import type { ArcpFact, ArcpInput, FoldOptions } from './fold/fold-message.ts'
import { foldInput } from './fold/fold-message.ts'
import { jobIdOf } from './fold/job-id-of.ts'
import { createStateDraft } from './fold/state-draft.ts'
import type { ArcpHandle } from './read/handle.ts'
import { clockOffset } from './values/clock-offset.ts'
import { isLater } from './values/id-order.ts'
import { SENT_TOO } from './values/sent-too.ts'
import { isOfEarlierSession } from './earlier-session.ts'
import { runHandle } from './run-handle.ts'
import { createJobIndex } from './job-index.ts'
import type { ArcpLink } from './link.ts'
import { createArcpLink } from './link.ts'
import type { JobBefore } from './presentation/job-events.ts'
import { jobEvents } from './presentation/job-events.ts'
import type { ArcpMessage } from './read/message.ts'
import { createSeenIds } from './seen-ids.ts'
import type { LeftPlace, RunPlace, SessionPlace } from './session-cursors.ts'
import { createSessionCursors } from './session-cursors.ts'

/** What a message means for one run. */
export interface DealtMessage {
  readonly requestId: string
  readonly delivery: Delivery<ArcpMessage>
}

/** All that outlives a connection: what was read, by which run, and who waits for an answer. One per client. */
export interface Exchange {
  /** Immutable: each access costs the next change a copy of what it changes. */
  readonly state: ArcpState
  job(jobId: string | undefined): ArcpJob | undefined
  prompt(promptId: string): ArcpPrompt | undefined
  lease(leaseId: string): ArcpLease | undefined
  readonly link: ArcpLink
  note(fact: ArcpFact): void
  /** The time of this device, in epoch milliseconds. */
  date(): number
  /** How many milliseconds the clock of this device is ahead of the runtime's. */
  readonly offsetMs: number
  /**
   * Makes a run known before it is begun, and gives its handle: a new one, or one that goes on from a handle. Does nothing for a run
   * that is known.
   */
  prepare(requestId: string, tool: string, handle: ArcpHandle | undefined, makeId: () => string): ArcpHandle | undefined
  /** Id of the message that invokes its tool. */
  invokeIdOf(requestId: string): string | undefined
  /** Whether the runtime has accepted the job of a run. */
  isAccepted(requestId: string): boolean
  /** Where a run that goes on from a handle has to be read on. Undefined: nowhere, or it was. */
  leftAt(requestId: string): LeftPlace | undefined
  /** What a run had not read when it was left comes from now on, in order, or has come. Before, nothing that comes is for it. */
  readsOn(requestId: string, progress: 'begun' | 'done'): void
  /** Id of the message that carries an answer, the same whenever it is sent. */
  answerMessageId(answerId: string, makeId: () => string): string
  /** The job of a run; undefined before it is accepted. */
  jobOf(requestId: string): string | undefined
  /** A session is being resumed by this message. */
  resumes(messageId: string, sessionId: string): void
  /** The sessions whose jobs go on. */
  resumePoints(): readonly SessionPlace[]
  /** Takes a message: once, in the order in which they came. Gives what it means, by run. */
  take(message: ArcpMessage): readonly DealtMessage[]
  /** What is remembered of a run. */
  handleOf(requestId: string): ArcpHandle | undefined
  /** The run is over, or was left: what comes for it is nobody's. */
  forget(requestId: string): void
}

export interface ExchangeOptions {
  /** Epoch milliseconds on this device. */
  date(): number
  /** Called when the state has changed. */
  onChange(): void
  /** Called with each message, once, and with the run that it belongs to. */
  onMessage(message: ArcpMessage, requestId: string | undefined): void
}

/** One run, as the exchange knows it. */
interface Known {
  readonly requestId: string
  readonly invokeId: string
  jobId: string | undefined
  leftAt?: LeftPlace | undefined
  /** What comes now may be later than what it has to read first. */
  isAway?: boolean
}

export function createExchange({ date, onChange, onMessage }: ExchangeOptions): Exchange {
  const link = createArcpLink()
  const byRequest = new Map<string, Known>()
  const byInvoke = new Map<string, Known>()
  const byJob = new Map<string, Known>()
  const index = createJobIndex()
  const seen = createSeenIds()
  const cursors = createSessionCursors()
  /** The last message of a job that its run had read when it was left. */
  const readUntil = new Map<string, string>()
  /** The last message that was read of a job before it was read again. */
  const replayedUntil = new Map<string, string>()
  /** Sessions that are being resumed, by the message that asks for it. */
  const resuming = new Map<string, string>()
  const draft = createStateDraft(EMPTY_STATE)
  let offsetMs = 0

  function fold(input: ArcpInput, options?: FoldOptions): void {
    foldInput(draft, input, options)
    onChange()
  }

  /** The message, with its job where only the invocation or a question names it. */
  function withJob(message: ArcpMessage): ArcpMessage {
    const { type, correlation_id: answered } = message
    if (message.job_id !== undefined || answered === undefined) return message
    const asked = type === 'human.input.cancelled' ? draft.get('prompts', answered) : undefined
    const jobId = byInvoke.get(answered)?.jobId ?? asked?.jobId
    return jobId === undefined ? message : { ...message, job_id: jobId }
  }

  function bind(message: ArcpMessage): void {
    const known = byInvoke.get(message.correlation_id ?? '')
    if (known === undefined || known.jobId !== undefined) return
    // A tool that needs no job answers the invocation itself.
    const answers = message.type === 'tool.result' || message.type === 'tool.error'
    const jobId = jobIdOf(draft.current, message) ?? (answers ? known.invokeId : undefined)
    if (jobId === undefined) return
    known.jobId = jobId
    byJob.set(jobId, known)
    // What came while nobody knew whose it was is said again.
    seen.delete(jobId)
  }

  function deal(message: ArcpMessage, events: readonly AgentEvent[], known: Known): DealtMessage {
    const cursor = { streamId: known.jobId ?? known.invokeId }
    const delivery: Delivery<ArcpMessage> = { events, cursor, progress: events.length > 0, source: message }
    return { requestId: known.requestId, delivery }
  }

  /** A session cannot be resumed: what its jobs said since is lost, and so are they. */
  function lose(message: Extract<ArcpMessage, { type: 'nack' | 'tool.error' }>, sessionId: string): DealtMessage[] {
    const error = toProtocolError(message.payload)
    return [...byJob.values()].flatMap((known) => {
      const job = draft.get('jobs', known.jobId ?? '')
      if (job === undefined || job.sessionId !== sessionId || job.endedAt !== undefined) return []
      return [deal(message, [{ type: 'stream-failed', streamId: job.id, error }], known)]
    })
  }

  /** What is known of the job of a message, to compare it with what follows. */
  function beforeOf(message: ArcpMessage, jobId: string | undefined): JobBefore {
    const prompts = new Map<string, ArcpPromptState>()
    for (const id of index.prompts(jobId ?? '')) {
      const prompt = draft.get('prompts', id)
      if (prompt !== undefined) prompts.set(id, prompt.state)
    }
    return { job: draft.get('jobs', jobId), stream: draft.get('streams', message.stream_id), prompts }
  }

  function take(given: ArcpMessage): readonly DealtMessage[] {
    if (link.active !== undefined && isOfEarlierSession(given, link.active.sessionId)) return []
    bind(given)
    const message = withJob(given)
    const jobId = jobIdOf(draft.current, message)
    if (byJob.get(jobId ?? '')?.isAway === true) return []
    // A session is replayed from the earliest place that one of its jobs was left at.
    if (!isLater(message.id, readUntil.get(jobId ?? '')) || !seen.add(jobId, message.id)) return []
    if (message.type === 'session.accepted') offsetMs = clockOffset(date(), message.timestamp)
    if (!SENT_TOO.has(message.type)) cursors.read(message.session_id, message.id)
    const before = beforeOf(message, jobId)
    const isReplay = replayedUntil.has(jobId ?? '') && !isLater(message.id, replayedUntil.get(jobId ?? ''))
    fold(message, { measures: !isReplay })
    if (!isReplay) onMessage(message, byJob.get(jobId ?? '')?.requestId)
    const all = dealt(message, before, jobId)
    if (draft.get('jobs', jobId ?? '')?.endedAt !== undefined) forgetJob(jobId ?? '')
    return all
  }

  function dealt(message: ArcpMessage, before: JobBefore, jobId: string | undefined): readonly DealtMessage[] {
    const answered =
      message.type === 'nack' ? (message.correlation_id ?? message.payload.ack_for) : message.correlation_id
    const lost = resuming.get(answered ?? '')
    if (lost !== undefined && (message.type === 'ack' || message.type === 'nack' || message.type === 'tool.error')) {
      resuming.delete(answered ?? '')
      return message.type === 'ack' ? [] : lose(message, lost)
    }
    const known = byJob.get(jobId ?? '') ?? (message.type === 'tool.result' ? byInvoke.get(answered ?? '') : undefined)
    const job = draft.get('jobs', known?.jobId ?? '')
    if (known === undefined || job === undefined) return []
    if (message.type === 'stream.open' && message.stream_id !== undefined) index.addStream(job.id, message.stream_id)
    if (draft.get('prompts', message.id)?.jobId === job.id) index.addPrompt(job.id, message.id)
    if (message.type === 'lease.granted') index.addLease(job.id, message.payload.lease_id)
    const streams = index.streams(job.id)
    const events = jobEvents({
      before,
      after: draft.current,
      message,
      job,
      streams,
      offsetMs,
      toError: toProtocolError,
    })
    // Also without events: the handle has moved on.
    return [deal(message, events, known)]
  }

  function forgetJob(jobId: string): void {
    index.delete(jobId)
    replayedUntil.delete(jobId)
    readUntil.delete(jobId)
    seen.end(jobId)
  }

  function note(fact: ArcpFact): void {
    fold({ type: 'fact', fact })
  }

  function handleOf(requestId: string): ArcpHandle | undefined {
    const known = byRequest.get(requestId)
    return known && runHandle({ draft, index, cursors }, draft.get('jobs', known.jobId), known.invokeId)
  }

  return {
    link,
    get state() {
      return draft.snapshot()
    },
    job: (jobId) => draft.get('jobs', jobId),
    prompt: (promptId) => draft.get('prompts', promptId),
    lease: (leaseId) => draft.get('leases', leaseId),
    note,
    date,
    get offsetMs() {
      return offsetMs
    },
    prepare(requestId, tool, handle, makeId) {
      if (byRequest.has(requestId)) return handleOf(requestId)
      const [jobId] = handle?.jobs ?? []
      const own: Known = { requestId, invokeId: handle?.invoke ?? jobId ?? makeId(), jobId }
      byRequest.set(requestId, own)
      byInvoke.set(own.invokeId, own)
      if (handle?.sessionId !== undefined) own.leftAt = { sessionId: handle.sessionId, after: handle.after }
      cursors.read(handle?.sessionId, handle?.after)
      if (jobId === undefined || handle === undefined) note({ type: 'invoked', invokeId: own.invokeId, tool })
      else {
        byJob.set(jobId, own)
        for (const id of Object.keys(handle.streams ?? {})) index.addStream(jobId, id)
        for (const id of Object.keys(handle.prompts ?? {})) index.addPrompt(jobId, id)
        for (const id of Object.keys(handle.leases ?? {})) index.addLease(jobId, id)
        const last = draft.get('jobs', jobId)?.lastMessageId
        if (last !== undefined) replayedUntil.set(jobId, last)
        if (handle.after !== undefined) readUntil.set(jobId, handle.after)
        seen.delete(jobId)
        own.isAway = own.leftAt !== undefined
        note({ type: 'restored', handle, tool })
      }
      return handleOf(requestId)
    },
    invokeIdOf: (requestId) => byRequest.get(requestId)?.invokeId,
    isAccepted: (requestId) => byRequest.get(requestId)?.jobId !== undefined,
    leftAt: (requestId) => byRequest.get(requestId)?.leftAt,
    readsOn(requestId, progress) {
      const known = byRequest.get(requestId)
      if (known === undefined) return
      known.isAway = false
      if (progress === 'done') known.leftAt = undefined
    },
    answerMessageId: createAnswerIds(),
    jobOf: (requestId) => byRequest.get(requestId)?.jobId,
    resumes: (messageId, sessionId) => void resuming.set(messageId, sessionId),
    resumePoints() {
      const sessions: RunPlace[] = []
      for (const { jobId, leftAt } of byRequest.values()) {
        const job = draft.get('jobs', jobId ?? '')
        if (job?.endedAt === undefined) sessions.push({ sessionId: job?.sessionId })
        // Its acceptance may be in the session in which it was sent.
        if (jobId === undefined) sessions.push({ sessionId: draft.session.id })
        if (leftAt !== undefined) sessions.push({ sessionId: leftAt.sessionId, leftAt })
      }
      return cursors.places(sessions)
    },
    take(message) {
      const all = take(message)
      link.hear(message)
      return all
    },
    handleOf,
    forget(requestId) {
      const known = byRequest.get(requestId)
      if (known === undefined) return
      byRequest.delete(requestId)
      byInvoke.delete(known.invokeId)
      if (known.jobId !== undefined) byJob.delete(known.jobId)
    },
  }
}
