import { ValidationError } from '../../../../base/format/validation-error.ts'
import type { ArcpMessage } from '../../read/message.ts'
import type { FrameOf, JobFrame } from '../frame/read-frame.ts'
import { type Place, markOf, placeId, START } from '../frame/place-id.ts'
import {
  type Saying,
  said,
  toMessage,
  type JobMemory,
  createJobMemory,
  remaining,
  timeOf,
  translateFrame,
} from './translate-event.ts'

/** A reported job: its messages so far, in ARCP 1.0. It outlives connections and sessions, not the page. */
export interface JobRecord {
  readonly id: string
  readonly memory: JobMemory
  /** All its messages, in order. */
  log: ArcpMessage[]
  /** The beginning of the log was dropped: it was too long. */
  isTrimmed: boolean
  /** The last event that was counted. */
  place: Place
  /** Messages that were added behind that event. */
  added: number
  /** The session that reports it. */
  home: string | undefined
  /** The session in which its history was asked for last. */
  askedIn: string | undefined
  isEnded: boolean
  /** Runs read it, or nobody has to ask for it; not where it is only subscribed to. */
  isShown: boolean
}

/** Messages of one job that are kept. */
const KEPT = 10_000

/** Messages without an event sort after those of the previous event. */
const ADDED = 900_000

/** The session of ARCP 1.0 that a job is: its places hold in whichever session of the runtime it is followed. */
const PREFIX = 'job:'

export function createJobRecord(id: string, home: string | undefined): JobRecord {
  return {
    id,
    memory: createJobMemory(id),
    log: [],
    isTrimmed: false,
    place: START,
    added: 0,
    home,
    askedIn: undefined,
    isEnded: false,
    isShown: false,
  }
}

/** The job that a session of ARCP 1.0 stands for; undefined where it stands for none. */
export function jobOfSession(sessionId: string | undefined): string | undefined {
  return sessionId?.startsWith(PREFIX) === true ? sessionId.slice(PREFIX.length) : undefined
}

/** Whether a message after the given one, or from the beginning, was dropped. */
export function isDropped({ log, isTrimmed }: JobRecord, after: string | undefined): boolean {
  return isTrimmed && (after === undefined || (log[0]?.id ?? '') > after)
}

/** The messages of a job after the given one, or from its beginning. */
export function saidAfter({ log }: JobRecord, after: string | undefined): readonly ArcpMessage[] {
  return after === undefined ? log : log.filter(({ id }) => id > after)
}

/** The job was accepted: the messages that say so. They are the first of its log. @param invokeId the message that invoked it, if one did */
export function addAccepted(
  record: JobRecord,
  { payload }: Pick<FrameOf<'job.accepted' | 'job.subscribed'>, 'payload'>,
  invokeId: string | undefined,
  now: string,
): readonly ArcpMessage[] {
  const { memory, id } = record
  const { lease = {}, lease_constraints: constraints, budget = {} } = payload
  const leases = Object.entries(lease).map(([permission, patterns]) =>
    said('lease.granted', {
      lease_id: `${id}/${permission}`,
      permission,
      resource: patterns.join(', '),
      // Nobody changes it: it was declared with the job.
      operation: '',
      expires_at: constraints?.expires_at ?? '',
    }),
  )
  memory.leases = Object.keys(lease).map((permission) => `${id}/${permission}`)
  const acceptedAt = 'accepted_at' in payload ? payload.accepted_at : undefined
  const accepted = said('job.accepted', { job_id: id, accepted_at: acceptedAt ?? now })
  const budgets = Object.entries(budget).map(([unit, value]) => remaining(memory, value, unit))
  const messages = [accepted, ...leases, ...budgets].map((saying, step) =>
    jobMessage(record, saying, placeId(START, step), now, step === 0 ? invokeId : undefined),
  )
  record.log.unshift(...messages)
  return messages
}

/** The same job is the answer to another invocation as well. */
export function addJoined(record: JobRecord, invokeId: string, now: string): readonly ArcpMessage[] {
  return addSaid(record, [said('job.accepted', { job_id: record.id })], now, invokeId)
}

/** Adds a message without an event, after the last one. */
export function addSaid(
  record: JobRecord,
  sayings: readonly Saying[],
  now: string,
  invokeId?: string,
): readonly ArcpMessage[] {
  return keep(
    record,
    sayings.map((saying) => {
      record.added += 1
      return jobMessage(record, saying, placeId(record.place, ADDED + record.added), now, invokeId)
    }),
  )
}

/** The next event of a job. What it cannot mean is given as a fault; it counts all the same. */
export function addFrame(
  record: JobRecord,
  frame: JobFrame,
  now: string,
): { readonly messages: readonly ArcpMessage[]; readonly fault?: ValidationError } {
  record.place = { ordinal: record.place.ordinal + 1, mark: markOfFrame(frame) }
  record.added = 0
  try {
    const at = timeOf(frame, now)
    const sayings = translateFrame(record.memory, frame, record.place.ordinal, now)
    record.isEnded ||= frame.type !== 'job.event'
    return {
      messages: keep(
        record,
        sayings.map((each, step) => jobMessage(record, each, placeId(record.place, step), at)),
      ),
    }
  } catch (error) {
    if (error instanceof ValidationError) return { messages: [], fault: error }
    throw error
  }
}

/**
 * Continues counting in another session: only new events of the job there. The last one that was read is found by its
 * mark; events before it were read, also where the runtime keeps none of the first ones.
 *
 * @param read the last event that was read, here or by the page before
 * @returns the new events, and whether some between may be missing
 */
export function countOn(
  record: JobRecord,
  frames: readonly JobFrame[],
  read: Place,
): { readonly frames: readonly JobFrame[]; readonly isGap: boolean } {
  if (read.ordinal === 0) return { frames, isGap: false }
  const isNew = record.place.ordinal === 0
  const marks = frames.map(markOfFrame)
  const found = marks.reduce<number | undefined>((best, mark, at) => {
    if (mark !== read.mark) return best
    const distance = (index: number): number => Math.abs(index - (read.ordinal - 1))
    return best === undefined || distance(at) < distance(best) ? at : best
  }, undefined)
  if (found === undefined) {
    if (isNew) record.place = read
    record.memory.isBlind ||= isNew
    return { frames, isGap: true }
  }
  if (!isNew) return { frames: frames.slice(found + 1), isGap: false }
  // What was read is translated too: what follows may depend on it.
  record.place = { ordinal: read.ordinal - found - 1, mark: START.mark }
  if (record.place.ordinal === 0) return { frames, isGap: false }
  record.memory.isBlind = true
  for (const frame of frames.slice(0, found + 1)) addFrame(record, frame, '')
  // Without what was before, they may mean something else than they did.
  record.log = record.log.filter(({ id }) => id < placeId(START, ADDED))
  return { frames: frames.slice(found + 1), isGap: false }
}

function markOfFrame({ type, payload }: JobFrame): string {
  return markOf(type + JSON.stringify(payload))
}

function jobMessage(
  { id: jobId }: JobRecord,
  saying: Saying,
  id: string,
  timestamp: string,
  invokeId?: string,
): ArcpMessage {
  const answered = invokeId === undefined ? {} : { correlation_id: invokeId }
  return toMessage(saying, { id, timestamp, session_id: PREFIX + jobId, job_id: jobId, ...answered })
}

function keep(record: JobRecord, messages: readonly ArcpMessage[]): readonly ArcpMessage[] {
  for (const message of messages) record.log.push(message)
  if (record.log.length > KEPT * 1.1) {
    record.log = record.log.slice(-KEPT)
    record.isTrimmed = true
  }
  return messages
}

/** A session that can be resumed. Its token is in memory alone. */
export interface ResumableSession {
  readonly id: string
  token: string | undefined
  /** Number of the last event that came; -1 before the first one. */
  lastSeq: number
  /** Number after which events were missing, once it was tried to get them. */
  gapAfter: number | undefined
}

/** A call of a tool, by the message of ARCP 1.0 that makes it. */
export interface Invocation {
  readonly id: string
  /** Traces under which it was submitted. */
  readonly traces: string[]
  jobId: string | undefined
}

/** What outlives a connection. */
export interface DialectMemory {
  session: ResumableSession | undefined
  readonly jobs: Map<string, JobRecord>
  readonly invocations: Map<string, Invocation>
  /** A new id for a message that is not a place of a job. */
  nextId(): string
  /** Forgets the jobs that ended first, where there are many. */
  trim(): void
}

/** Jobs that have ended and are remembered, and messages of them. */
const KEPT_ENDED = 100

const KEPT_MESSAGES = 20_000

export function createDialectMemory(): DialectMemory {
  const jobs = new Map<string, JobRecord>()
  const invocations = new Map<string, Invocation>()
  let count = 0
  return {
    session: undefined,
    jobs,
    invocations,
    nextId: () => `dialect_${++count}`,
    trim() {
      const ended = [...jobs.values()].filter(({ isEnded }) => isEnded)
      let [left, messages] = [KEPT_ENDED, KEPT_MESSAGES]
      for (const { id, log } of ended.toReversed()) {
        left -= 1
        messages -= log.length
        if (left >= 0 && messages >= 0) continue
        jobs.delete(id)
        for (const invocation of [...invocations.values()])
          if (invocation.jobId === id) invocations.delete(invocation.id)
      }
    },
  }
}
