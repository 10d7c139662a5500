import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { EventLog, LogReader, LogWriter } from '../../server/event-log/event-log.ts'
import { type ArcpCapabilities, capabilitiesSchema } from '../../protocols/arcp/schema/session.ts'
import { type Scope, readScope } from './scope.ts'

/** One message as it was logged. */
export interface LoggedMessage {
  readonly id: string
  readonly frame: string
}

/** The messages of one session in order, in an `EventLog`, among entries that say whose they are and how its jobs were invoked. */
export interface SessionLog {
  /** Adds messages and other entries. Rejects when the store has not kept them; nothing is added after that. */
  append(frames: readonly string[]): Promise<void>
  /** The messages that were added, after the one with this id. Ids are in order. Rejects when the log is gone. */
  after(id: string): Promise<readonly LoggedMessage[]>
  /** Nothing more comes: from now on the log is kept as long as the store keeps what has ended. */
  close(): Promise<void>
  /** Nothing of it may be read any more. */
  discard(): Promise<void>
}

/** The key of the log of a session. */
export function keyOf(sessionId: string): string {
  return `arcp:session:${sessionId}`
}

/** Begins the log of a new session. */
export async function beginSessionLog(log: EventLog, sessionId: string, owner: LoggedOwner): Promise<SessionLog> {
  const begun = await log.begin(keyOf(sessionId))
  if (begun.state !== 'created') throw new Error('The session has a log already.')
  const { writer, reader } = begun
  await writer.append({ kind: 'frame', text: JSON.stringify(ownerEntry(owner)) })
  return openSessionLog(writer, reader, 1)
}

/** A log that continues after its first entries. @param written how many there are */
export function openSessionLog(writer: LogWriter, reader: LogReader, written: number): SessionLog {
  let end = written
  const never = new AbortController().signal
  return {
    async append(frames) {
      const entries = frames.map((text) => ({ kind: 'frame', text }) as const)
      if (writer.appendAll !== undefined) await writer.appendAll(entries)
      else for (const entry of entries) await writer.append(entry)
      end += entries.length
    },
    after: (id) => readUntil(reader, end, id, never),
    close: () => writer.close(),
    discard: () => writer.discard(),
  }
}

async function readUntil(
  reader: LogReader,
  end: number,
  after: string,
  signal: AbortSignal,
): Promise<readonly LoggedMessage[]> {
  const found: LoggedMessage[] = []
  for (let at = 0; at < end;) {
    const slice = await reader.read(at, signal)
    for (const entry of slice.entries) {
      if (entry.kind !== 'frame') continue
      const id = idOf(entry.text)
      if (id !== undefined && id > after) found.push({ id, frame: entry.text })
    }
    if (slice.end === at) break
    at = slice.end
  }
  return found
}

/** The id of a message that this runtime has written; undefined for other entries. */
function idOf(frame: string): string | undefined {
  const value: unknown = JSON.parse(frame)
  return isJsonObject(value) && typeof value.id === 'string' ? value.id : undefined
}

/** Whose session a log is of, and what was negotiated. It holds no token. */
interface LoggedOwner extends Scope {
  readonly capabilities: ArcpCapabilities
}

/** How a job was invoked: it is invoked once for its message and its key. */
interface LoggedCall {
  readonly jobId: string
  readonly invokeId: string
  readonly tool: string
  /** The tool and its arguments as canonical JSON. */
  readonly asked: string
  /** Idempotency key. Absent: it had none. */
  readonly key?: string | undefined
}

/** A job as a log reports it. */
export interface LoggedJob extends LoggedCall {
  readonly traceId: string | undefined
  /** Id of the message that accepted it. */
  readonly acceptedId: string
  /** `open`: it had not ended when the last message was logged. */
  readonly state: 'open' | 'completed' | 'failed' | 'cancelled'
  /** Its streams that were not closed. */
  readonly streams: ReadonlySet<string>
  /** Its leases that were not revoked. */
  readonly leases: ReadonlySet<string>
}

/** A session as its log reports it. */
export interface LoggedSession {
  readonly owner: LoggedOwner
  readonly jobs: readonly LoggedJob[]
  /** Ids of the artifacts that were stored in it. */
  readonly artifacts: readonly string[]
  /** Id of the last message. Absent: there is none. */
  readonly lastId: string | undefined
}

/** What is known of a job while its log is read. */
interface Reading {
  readonly call: LoggedCall
  traceId: string | undefined
  acceptedId: string | undefined
  state: LoggedJob['state']
  readonly streams: Set<string>
  readonly leases: Set<string>
}

/** Messages that end a job, and how. */
const ENDS: Readonly<Record<string, LoggedJob['state']>> = {
  'tool.result': 'completed',
  'job.completed': 'completed',
  'tool.error': 'failed',
  'job.failed': 'failed',
  'job.cancelled': 'cancelled',
}

/** An entry that says whose the session is: the last one holds. */
export function ownerEntry(owner: LoggedOwner): JsonObject {
  return { owner }
}

/** An entry that says how a job was invoked. It comes before all messages of the job. */
export function callEntry(call: LoggedCall): JsonObject {
  return { call }
}

/** An entry that names an artifact of the session. */
export function artifactEntry(artifactId: string): JsonObject {
  return { artifact: artifactId }
}

/** What the entries of a log report its session; undefined when they do not say whose it is. */
export function readLoggedSession(entries: readonly string[]): LoggedSession | undefined {
  const jobs = new Map<string, Reading>()
  const artifacts: string[] = []
  let owner: LoggedOwner | undefined
  let lastId: string | undefined
  for (const entry of entries) {
    const value: unknown = JSON.parse(entry)
    if (!isJsonObject(value)) continue
    owner = readOwner(value.owner) ?? owner
    if (typeof value.artifact === 'string') artifacts.push(value.artifact)
    const call = readCall(value.call)
    if (call !== undefined)
      jobs.set(call.jobId, {
        call,
        traceId: undefined,
        acceptedId: undefined,
        state: 'open',
        streams: new Set(),
        leases: new Set(),
      })
    if (typeof value.id === 'string') {
      lastId = value.id
      readMessage(jobs, value.id, value)
    }
  }
  if (owner === undefined) return undefined
  const found = [...jobs.values()].flatMap(({ call, acceptedId, ...rest }) =>
    acceptedId === undefined ? [] : [{ ...call, ...rest, acceptedId }],
  )
  return { owner, jobs: found, artifacts, lastId }
}

function readMessage(jobs: ReadonlyMap<string, Reading>, id: string, message: JsonObject): void {
  const { type, job_id: jobId, trace_id: traceId, stream_id: streamId, payload } = message
  const job = typeof jobId === 'string' ? jobs.get(jobId) : undefined
  if (job === undefined || typeof type !== 'string') return
  job.state = ENDS[type] ?? job.state
  const leaseId = isJsonObject(payload) ? payload.lease_id : undefined
  if (type === 'job.accepted') {
    job.acceptedId = id
    job.traceId = typeof traceId === 'string' ? traceId : undefined
  } else if (typeof streamId === 'string') {
    if (type === 'stream.open') job.streams.add(streamId)
    if (type === 'stream.close' || type === 'stream.error') job.streams.delete(streamId)
  } else if (typeof leaseId === 'string') {
    if (type === 'lease.granted') job.leases.add(leaseId)
    if (type === 'lease.revoked') job.leases.delete(leaseId)
  }
}

function readOwner(value: unknown): LoggedOwner | undefined {
  const scope = readScope(value)
  const capabilities = capabilitiesSchema.safeParse(isJsonObject(value) ? value.capabilities : undefined)
  return scope && capabilities.success ? { ...scope, capabilities: capabilities.data } : undefined
}

function readCall(value: unknown): LoggedCall | undefined {
  if (!isJsonObject(value)) return undefined
  const { jobId, invokeId, tool, asked, key } = value
  if (typeof jobId !== 'string' || typeof invokeId !== 'string') return undefined
  if (typeof tool !== 'string' || typeof asked !== 'string') return undefined
  return { jobId, invokeId, tool, asked, key: typeof key === 'string' ? key : undefined }
}
