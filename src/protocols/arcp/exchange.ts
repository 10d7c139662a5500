import type { AgentEvent } from '../../seam/agent-event.ts'
import type { Delivery } from '../../seam/protocol.ts'
import { createAnswerIds, createSeenIds } from './ledger/seen-ids.ts'
import { toProtocolError } from './errors.ts'
import { type ArcpJob, type ArcpLease, type ArcpPrompt, type ArcpState, EMPTY_STATE } from './fold/arcp-state.ts'
import { type ArcpFact, type ArcpInput, type FoldOptions, foldInput, jobIdOf } from './fold/fold-message.ts'
import { createStateDraft } from './fold/state-draft.ts'
import type { ArcpHandle } from './read/handle.ts'
import { clockOffset } from './values/date-time.ts'
import { SENT_TOO } from './values/vocabulary.ts'
import { leftPlaces, placesOf, runHandle, createJobIndex, jobBefore } from './ledger/job-index.ts'
import {
  type Places,
  createJobPlaces,
  hasRead,
  NOWHERE,
  type RunPlace,
  type SessionPlace,
  createSessionCursors,
} from './ledger/places.ts'
import { type KnownRun, createKnownRuns } from './ledger/known-runs.ts'
import { type ArcpLink, createArcpLink } from './link.ts'
import { loadedRareMessages } from './load-on-demand.ts'
import { type JobBefore, jobEvents } from './presentation/job-events.ts'
import type { ArcpMessage } from './read/message.ts'

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
  /** Makes a run known, unless it is, before it is begun, and gives its handle: a new one, or one that continues from a handle. */
  prepare(requestId: string, tool: string, handle: ArcpHandle | undefined, makeId: () => string): ArcpHandle | undefined
  /** Id of the message that invokes the tool of a run, which is about to be sent in this session. */
  invokeIn(sessionId: string, requestId: string): string | undefined
  /** Whether the runtime has accepted the job of a run. */
  isAccepted(requestId: string): boolean
  /** Where a run that continues from a handle has to be read on. Undefined: nowhere, or it was. */
  leftAt(requestId: string): Places | undefined
  /** What a run had not read when it was left comes from now on, in order, or has come. Before, nothing that comes is for it. */
  readsOn(requestId: string, progress: 'begun' | 'done'): void
  /** Id of the message that carries an answer, the same whenever it is sent. */
  answerMessageId(answerId: string, makeId: () => string): string
  /** The job of a run; undefined before it is accepted. */
  jobOf(requestId: string): string | undefined
  /** A session is being resumed by this message. */
  resumes(messageId: string, sessionId: string): void
  /** The sessions whose jobs continue. */
  resumePoints(): readonly SessionPlace[]
  /** Takes a message: once, in the order in which they came. Gives what it means, by run. */
  take(message: ArcpMessage): readonly DealtMessage[]
  /** What is remembered of a run. */
  handleOf(requestId: string): ArcpHandle | undefined
  /** The run has ended or was detached: later messages for it are dropped. */
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

export function createExchange({ date, onChange, onMessage }: ExchangeOptions): Exchange {
  const link = createArcpLink()
  const runs = createKnownRuns()
  const index = createJobIndex()
  const seen = createSeenIds()
  const cursors = createSessionCursors()
  const places = createJobPlaces()
  /** How far a job was read by its run when that was left. */
  const readUntil = new Map<string, Places>()
  /** How far a job was read before it was read again. */
  const replayedUntil = new Map<string, Places>()
  /** Sessions that are being resumed, by the message that asks for it. */
  const resuming = new Map<string, string>()
  const draft = createStateDraft(EMPTY_STATE)
  let offsetMs = 0

  function fold(input: ArcpInput, options?: FoldOptions): void {
    foldInput(draft, input, { ...options, foldRare: loadedRareMessages()?.fold })
    onChange()
  }

  /** The message, with its job where only the invocation or a question names it. */
  function withJob(message: ArcpMessage): ArcpMessage {
    const { type, correlation_id: answered } = message
    if (message.job_id !== undefined || answered === undefined) return message
    const asked = type === 'human.input.cancelled' ? draft.get('prompts', answered) : undefined
    const jobId = runs.byInvoke(answered)?.jobId ?? asked?.jobId
    return jobId === undefined ? message : { ...message, job_id: jobId }
  }

  function bind(message: ArcpMessage): void {
    const known = runs.byInvoke(message.correlation_id)
    if (known === undefined || known.jobId !== undefined) return
    // A tool that needs no job answers the invocation itself.
    const answers = message.type === 'tool.result' || message.type === 'tool.error'
    const jobId = jobIdOf(draft.current, message) ?? (answers ? known.invokeId : undefined)
    if (jobId === undefined) return
    runs.bind(known, jobId)
    places.rename(known.invokeId, jobId)
    // Messages that arrived before their run was known are delivered again.
    if (runs.ofJob(jobId).length === 1) seen.delete(jobId)
  }

  function deal(message: ArcpMessage, events: readonly AgentEvent[], known: KnownRun): DealtMessage {
    const cursor = { streamId: known.jobId ?? known.invokeId }
    const delivery: Delivery<ArcpMessage> = { events, cursor, progress: events.length > 0, source: message }
    return { requestId: known.requestId, delivery }
  }

  /** A session cannot be resumed: its jobs and their later messages are lost. */
  function lose(message: Extract<ArcpMessage, { type: 'nack' | 'tool.error' }>, sessionId: string): DealtMessage[] {
    const error = toProtocolError(message.payload)
    return [...runs.all()].flatMap((known) => {
      const job = draft.get('jobs', known.jobId ?? '')
      if (job === undefined || job.endedAt !== undefined) return []
      // Elsewhere it was only answered.
      if (job.sessionId !== sessionId) places.drop(job.id, sessionId)
      if (job.sessionId !== sessionId) return []
      return [deal(message, [{ type: 'stream-failed', streamId: job.id, error }], known)]
    })
  }

  function take(given: ArcpMessage): readonly DealtMessage[] {
    if (link.active !== undefined && isOfEarlierSession(given, link.active.sessionId)) return []
    bind(given)
    const message = withJob(given)
    const jobId = jobIdOf(draft.current, message)
    if (runs.ofJob(jobId).some(({ isAway }) => isAway === true)) return []
    // A session is replayed from the earliest place that one of its jobs was left at.
    if (hasRead(readUntil.get(jobId ?? ''), message) || !seen.add(jobId, message.id)) return []
    if (message.type === 'session.accepted') offsetMs = clockOffset(date(), message.timestamp)
    if (!SENT_TOO.has(message.type)) {
      cursors.read(message.session_id, message.id)
      if (jobId !== undefined) places.read(jobId, message.session_id, message.id)
    }
    const before = jobBefore({ draft, index }, message, jobId)
    const isReplay = hasRead(replayedUntil.get(jobId ?? ''), message)
    fold(message, { measures: !isReplay })
    if (!isReplay) onMessage(message, runs.ofJob(jobId)[0]?.requestId)
    const all = dealt(message, before, jobId).filter(({ requestId }) => !isReplay || runs.isReplaying(requestId))
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
    const ofJob = runs.ofJob(jobId)
    const direct = message.type === 'tool.result' ? runs.byInvoke(answered) : undefined
    const all = ofJob.length > 0 || direct === undefined ? ofJob : [direct]
    const job = draft.get('jobs', all[0]?.jobId ?? '')
    if (job === undefined) return []
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
      rareEvents: loadedRareMessages()?.events,
    })
    // Also without events: the handle has moved on.
    return all.map((known) => deal(message, events, known))
  }

  function forgetJob(jobId: string): void {
    index.delete(jobId)
    places.delete(jobId)
    replayedUntil.delete(jobId)
    readUntil.delete(jobId)
    seen.end(jobId)
  }

  /** A run that was not known: a new one, or one that continues from a handle. */
  function restore(...[requestId, tool, handle, makeId]: Parameters<Exchange['prepare']>): KnownRun {
    const [jobId] = handle?.jobs ?? []
    const own: KnownRun = { requestId, invokeId: handle?.invoke ?? jobId ?? makeId(), jobId }
    const left = leftPlaces(handle)
    runs.add(own)
    if (left.size > 0) own.leftAt = left
    for (const [sessionId, id] of left) cursors.read(sessionId, id)
    if (jobId === undefined || handle === undefined) {
      places.set(own.invokeId, left)
      note({ type: 'invoked', invokeId: own.invokeId, tool })
      return own
    }
    for (const id of Object.keys(handle.streams ?? {})) index.addStream(jobId, id)
    for (const id of Object.keys(handle.prompts ?? {})) index.addPrompt(jobId, id)
    for (const id of Object.keys(handle.leases ?? {})) index.addLease(jobId, id)
    replayedUntil.set(jobId, placesOf(places, draft.get('jobs', jobId)))
    readUntil.set(jobId, left)
    places.set(jobId, left)
    seen.delete(jobId)
    own.isAway = own.leftAt !== undefined
    runs.replay(own)
    note({ type: 'restored', handle, tool })
    return own
  }

  /** The acceptance of a job may be reported in this session. */
  function expectAcceptance({ jobId, invokeId }: KnownRun, sessionId: string | undefined): void {
    if (jobId === undefined && sessionId !== undefined) places.read(invokeId, sessionId, cursors.resumeAfter(sessionId))
  }

  function note(fact: ArcpFact): void {
    fold({ type: 'fact', fact })
  }

  function handleOf(requestId: string): ArcpHandle | undefined {
    const known = runs.byRequest(requestId)
    return known && runHandle({ draft, index, places }, draft.get('jobs', known.jobId), known.invokeId)
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
      expectAcceptance(runs.byRequest(requestId) ?? restore(requestId, tool, handle, makeId), draft.session.id)
      return handleOf(requestId)
    },
    invokeIn(sessionId, requestId) {
      const known = runs.byRequest(requestId)
      if (known !== undefined) expectAcceptance(known, sessionId)
      return known?.invokeId
    },
    isAccepted: (requestId) => runs.byRequest(requestId)?.jobId !== undefined,
    leftAt: (requestId) => runs.byRequest(requestId)?.leftAt,
    readsOn(requestId, progress) {
      const known = runs.byRequest(requestId)
      if (known === undefined) return
      known.isAway = false
      if (progress === 'done') known.leftAt = undefined
    },
    answerMessageId: createAnswerIds(),
    jobOf: (requestId) => runs.byRequest(requestId)?.jobId,
    resumes: (messageId, sessionId) => void resuming.set(messageId, sessionId),
    resumePoints() {
      const sessions: RunPlace[] = []
      for (const { jobId, invokeId, leftAt = NOWHERE } of runs.all()) {
        if (draft.get('jobs', jobId)?.endedAt === undefined)
          for (const sessionId of places.of(jobId ?? invokeId).keys()) sessions.push({ sessionId })
        for (const [sessionId, after] of leftAt) sessions.push({ sessionId, leftAt: { after } })
      }
      return cursors.places(sessions)
    },
    take(message) {
      const all = take(message)
      link.hear(message)
      return all
    },
    handleOf,
    forget: runs.forget,
  }
}

/** Whether a message is about the beginning or the end of a session before this one: the log of one that is resumed reports both. */
export function isOfEarlierSession({ type, session_id: sessionId }: ArcpMessage, current: string): boolean {
  return type.startsWith('session.') && sessionId !== undefined && sessionId !== current
}
