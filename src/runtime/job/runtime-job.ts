/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> accepted
    state going {
        accepted --> running: start
        running --> blocked: ask
        blocked --> running: answered
    }
    going --> completed: complete
    going --> failed: fail
    going --> stopping: cancel
    stopping --> cancelled: returned
    stopping --> failed: fail
*/

import { noop } from '../../base/noop.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { ArcpPayload } from '../../protocols/arcp/schema/payloads.ts'
import { ArcpFault, faultPayload } from '../session/arcp-fault.ts'
import type { Members, Peer, RuntimeSession } from '../session/runtime-session.ts'
import { transitionTable, type TransitionTable } from '../../base/transition-table.ts'

/** How a job ends. */
export type JobEnd =
  | { readonly type: 'complete'; readonly result: ArcpPayload<'tool.result'> }
  /** `by`: the tool has failed, or the runtime has ended the job. */
  | { readonly type: 'fail'; readonly fault: ArcpFault; readonly by: 'tool' | 'runtime' }
  | JobCancel

/** A cancel of a job, which has ended when its tool has returned. */
export interface JobCancel {
  readonly type: 'cancel'
  readonly reason: string
  readonly source: 'client' | 'runtime' | 'policy' | 'timeout'
  /** Longest wait for the tool, in milliseconds, where it is shorter than that of the runtime. */
  readonly limitMs?: number | undefined
}

/** Which messages report an end: those of the tool (as the runtime in TypeScript), those of the job (as that in F#), or both. */
export type JobEndings = 'tool' | 'job' | 'both'

export interface JobOptions {
  readonly id: string
  readonly tool: string
  readonly session: RuntimeSession
  /** Id of the message that invoked the tool. */
  readonly invokeId: string
  readonly traceId: string | undefined
  readonly clock: Clock
  readonly endings: JobEndings
  /** The source of the job's heartbeats. */
  readonly heartbeat: 'runtime' | 'tool'
  /** What happens to a job whose tool says nothing any more. */
  readonly recovery: 'fail' | 'block'
  /** How long a cancel waits for the tool to return, in milliseconds. */
  readonly cancelTimeoutMs: number
  onEnded(job: RuntimeJob): void
}

/** A job of the runtime. */
export interface RuntimeJob {
  readonly id: string
  readonly tool: string
  readonly session: RuntimeSession
  readonly invokeId: string
  readonly traceId: string | undefined
  readonly state: RuntimeJobState
  /** Id of the message that accepted it: all its messages follow. */
  readonly acceptedId: string
  /** Aborts when it has ended otherwise than by its tool. */
  readonly signal: AbortSignal
  /** Whether its tool no longer works: it has returned, or was never called. */
  readonly hasReturned: boolean
  /** Sends a message about it. Once it has ended or was cancelled, nothing is sent. */
  emit(type: string, payload: object, members?: Members, except?: Peer): string | undefined
  /** Says that it lives. */
  beat(): void
  /** It waits for the user; call the returned function when it does not any more. */
  block(): () => void
  /** A resource that ends with it, such as a stream; called before its end is reported. */
  onEnd(end: (how: JobEnd) => void): void
  /** Ends it; a cancel aborts its signal and waits for its tool. Only the first end counts: false for others. */
  end(how: JobEnd): boolean
  /** Its tool has returned, or is not called any more. */
  returned(): void
  /** Waits no longer for the tool of a cancelled job: it fails, as nobody knows what the tool still does. */
  abandon(): void
}

/** Begins a job: it is accepted and started. */
export function createJob(options: JobOptions): RuntimeJob {
  const { id, session, clock, heartbeat, recovery, traceId, invokeId } = options
  const abort = new AbortController()
  const ending: ((how: JobEnd) => void)[] = []
  const intervalMs = (session.capabilities.heartbeat_interval_seconds ?? 30) * 1000
  let state: RuntimeJobState = 'accepted'
  let asked = 0
  let beats = 0
  let lastSign = clock.now()
  let isSilent = false
  let hasReturned = false
  let cancelled: JobCancel | undefined
  let cancelTimer = noop

  const about = (members: Members = {}): Members => ({
    job_id: id,
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    ...members,
  })
  const now = (): string => new Date(clock.date()).toISOString()
  const move = (input: JobInput): void => {
    state = RUNTIME_JOB_STATES[state][input]
  }

  function emit(type: string, payload: object, members?: Members, except?: Peer): string | undefined {
    if (!isGoing(state)) return undefined
    lastSign = clock.now()
    isSilent = false
    return session.emit(type, payload, about(members), except)
  }

  function beat(as: RuntimeJobState = state): void {
    if (!isGoing(as)) return
    const payload: ArcpPayload<'job.heartbeat'> = { sequence: (beats += 1), deadline_ms: 2 * intervalMs, state: as }
    session.emit('job.heartbeat', payload, about())
  }

  /** Each interval: the runtime sends a heartbeat, or checks for one from the tool. */
  function tick(): void {
    if (!isGoing(state)) return
    cancelTimer = clock.after(intervalMs, tick)
    if (heartbeat === 'runtime') return beat()
    // A job that waits for the user is not dead.
    if (asked > 0) lastSign = clock.now()
    if (clock.now() - lastSign < 2 * intervalMs || isSilent) return
    if (recovery === 'fail')
      return void end({ type: 'fail', by: 'runtime', fault: new ArcpFault('HEARTBEAT_LOST', SILENT) })
    isSilent = true
    beat('blocked')
  }

  function end(how: JobEnd): boolean {
    if (!isGoing(state)) return false
    cancelTimer()
    for (const each of ending.splice(0)) each(how)
    if (how.type === 'cancel') stop(how)
    else {
      if (how.type === 'complete' || how.by === 'tool') hasReturned = true
      tell(how)
      move(how.type)
      // Actions of the tool after the abort have no effect.
      if (how.type === 'fail' && how.by === 'runtime') abort.abort(how.fault)
      options.onEnded(job)
    }
    return true
  }

  /** Has the tool stop. The client learns of the end when there is one. */
  function stop(how: JobCancel): void {
    cancelled = how
    move('cancel')
    cancelTimer = clock.after(Math.min(how.limitMs ?? Infinity, options.cancelTimeoutMs), abandon)
    abort.abort(new ArcpFault('CANCELLED', how.reason))
    if (hasReturned) returned()
  }

  function returned(): void {
    hasReturned = true
    if (state !== 'stopping' || cancelled === undefined) return
    cancelTimer()
    const { reason, source } = cancelled
    session.emit('job.cancelled', { reason, source }, about({ correlation_id: invokeId }))
    move('returned')
    options.onEnded(job)
  }

  function abandon(): void {
    if (state !== 'stopping') return
    cancelTimer()
    tell({ type: 'fail', by: 'runtime', fault: UNCONFIRMED })
    move('fail')
    options.onEnded(job)
  }

  function tell(how: Exclude<JobEnd, JobCancel>): void {
    const members = about({ correlation_id: invokeId })
    const ofTool = options.endings !== 'job'
    const ofJob = options.endings !== 'tool'
    if (how.type === 'complete') {
      if (ofTool) session.emit('tool.result', how.result, members)
      if (ofJob) session.emit('job.completed', how.result, members)
    } else {
      const error = faultPayload(how.fault)
      if (ofTool && how.by === 'tool') session.emit('tool.error', error, members)
      if (ofJob || how.by === 'runtime') session.emit('job.failed', error, members)
    }
  }

  const acceptedId = session.emit(
    'job.accepted',
    { job_id: id, accepted_at: now() },
    about({ correlation_id: invokeId }),
  )
  session.emit('job.started', { job_id: id, started_at: now() }, about({ correlation_id: invokeId }))
  move('start')
  cancelTimer = clock.after(intervalMs, tick)

  const job: RuntimeJob = {
    id,
    tool: options.tool,
    session,
    invokeId,
    traceId,
    acceptedId,
    signal: abort.signal,
    get state() {
      return state
    },
    get hasReturned() {
      return hasReturned
    },
    emit,
    beat() {
      lastSign = clock.now()
      isSilent = false
      beat()
    },
    block() {
      asked += 1
      move('ask')
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        asked -= 1
        lastSign = clock.now()
        if (asked === 0) move('answered')
      }
    },
    onEnd: (each) => void ending.push(each),
    end,
    returned,
    abandon,
  }
  return job
}

const SILENT = 'The tool has said nothing for two intervals of the heartbeat.'

/** The code of a job whose tool was not seen to end by its deadline (RFC section 10.4). */
const UNCONFIRMED = new ArcpFault(
  'ABORTED',
  'The tool has not returned since the job was cancelled. It may still be working.',
  {
    retryable: false,
  },
)

/** What a job gives, as it travels. */
export function toResultPayload(value: unknown): ArcpPayload<'tool.result'> {
  return value === undefined ? {} : { value }
}

/** A failure of a tool: what is not an `ArcpFault` says nothing to the client. */
export function faultOf(cause: unknown): ArcpFault {
  return cause instanceof ArcpFault ? cause : new ArcpFault('INTERNAL', 'The tool has failed.', { cause })
}

/** Where a job of the runtime is (RFC section 10.2); it never queues or pauses one. `stopping`: cancelled, and its tool has not returned. */
type RuntimeJobState = 'accepted' | 'running' | 'blocked' | 'stopping' | 'completed' | 'failed' | 'cancelled'

/** What moves a job. */
type JobInput = 'start' | 'ask' | 'answered' | 'complete' | 'fail' | 'cancel' | 'returned'

/** State machine of a job: the first end holds. `answered` comes when nothing is asked any more. */
// oxfmt-ignore
export const RUNTIME_JOB_STATES: TransitionTable<RuntimeJobState, JobInput> = /* @__PURE__ */ transitionTable(
               ['accepted',  'running',   'blocked',   'stopping',  'completed', 'failed', 'cancelled'],
  {
    start:     ['running',   '.',         '.',         '.',         '.',         '.',      '.'],
    ask:       ['.',         'blocked',   '.',         '.',         '.',         '.',      '.'],
    answered:  ['.',         '.',         'running',   '.',         '.',         '.',      '.'],
    complete:  ['completed', 'completed', 'completed', '.',         '.',         '.',      '.'],
    fail:      ['failed',    'failed',    'failed',    'failed',    '.',         '.',      '.'],
    cancel:    ['stopping',  'stopping',  'stopping',  '.',         '.',         '.',      '.'],
    returned:  ['.',         '.',         '.',         'cancelled', '.',         '.',      '.'],
  },
)

/** Whether a job has ended. */
export function isEnded(state: RuntimeJobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

/** Whether what a job emits still counts: it has neither ended nor been cancelled. */
export function isGoing(state: RuntimeJobState): state is 'accepted' | 'running' | 'blocked' {
  return state !== 'stopping' && !isEnded(state)
}
