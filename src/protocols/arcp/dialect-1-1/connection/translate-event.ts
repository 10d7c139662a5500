import { isJsonObject, type JsonObject } from '../../../../base/json-object.ts'
import { isDateTime } from '../../values/date-time.ts'
import { type FrameOf, type JobEvent, type JobFrame, readEvent } from '../frame/read-frame.ts'
import type { EventBody } from '../frame/frame-schemas.ts'
import type { AgentPart } from '../../../../seam/agent-event.ts'
import type { ArcpMessage, ArcpReceivedType } from '../../read/message.ts'
import type { ArcpPayload } from '../../schema/payloads.ts'

/** A result that comes in chunks. */
interface StreamedResult {
  /** Number of the chunk that comes next. */
  next: number
  /** Bytes that came; undefined where the first ones came to the page before. */
  size: number | undefined
  /** Text received; undefined for bytes, and beyond the limit. */
  text: string | undefined
  /** No chunk was missing. */
  isWhole: boolean
  /** The last chunk has come. */
  isOver: boolean
}

/** Characters of a result that are put together: what is longer is read from its stream. */
const KEPT_TEXT = 1_000_000

interface ResultOwner {
  readonly id: string
  readonly results: Map<string, StreamedResult>
  readonly isBlind: boolean
}

/** A chunk as a part of a stream. Repeated chunks are ignored; missing chunks are reported. */
function addChunk(job: ResultOwner, chunk: EventBody<'result_chunk'>): Saying[] {
  const { result_id: id, chunk_seq: sequence, data, encoding, more } = chunk
  const stream = { stream_id: `${job.id}/${id}` }
  const isText = encoding === 'utf8'
  const known = job.results.get(id)
  const result = known ?? begin(chunk, job.isBlind && sequence > 0)
  if (known === undefined) job.results.set(id, result)
  const sayings: Saying[] = []
  if (known === undefined)
    sayings.push(said('stream.open', { kind: isText ? 'text' : 'binary', related_job_id: job.id }, stream))
  if (sequence < result.next) return []
  if (sequence > result.next) {
    result.isWhole = false
    const missing = sequence - result.next
    sayings.push(warned(`Of the result, ${missing} ${missing === 1 ? 'chunk is' : 'chunks are'} missing.`))
  }
  result.next = sequence + 1
  if (result.size !== undefined) result.size += isText ? new TextEncoder().encode(data).length : bytesOf(data)
  const text = isText && result.text !== undefined ? result.text + data : undefined
  result.text = text !== undefined && text.length <= KEPT_TEXT ? text : undefined
  sayings.push(said('stream.chunk', { sequence, data }, stream))
  if (!more) {
    result.isOver = true
    sayings.push(said('stream.close', { total_chunks: result.next }, stream))
  }
  return sayings
}

function begin({ chunk_seq: next, encoding }: EventBody<'result_chunk'>, isLater: boolean): StreamedResult {
  if (isLater) return { next, size: undefined, text: undefined, isWhole: true, isOver: false }
  return { next: 0, size: 0, text: encoding === 'utf8' ? '' : undefined, isWhole: true, isOver: false }
}

/** The final result. @param size its bytes, as the runtime reports */
function endResult(
  job: ResultOwner,
  id: string,
  size: number | undefined,
): { readonly isWhole: boolean; readonly value: string | undefined } {
  const result = job.results.get(id)
  if (result === undefined) return { isWhole: job.isBlind, value: undefined }
  const isComplete = size === undefined || result.size === undefined || size === result.size
  const isWhole = result.isWhole && result.isOver && isComplete
  return { isWhole, value: isWhole ? result.text : undefined }
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}

/** What has to be remembered of a job to say what its next event means. */
export interface JobMemory {
  readonly id: string
  isStarted: boolean
  /** How far it has come. */
  counted: { readonly current: number; readonly total: number | undefined } | undefined
  readonly calls: Map<string, EventBody<'tool_call'>>
  readonly results: Map<string, StreamedResult>
  /** Its first events are not known here, though they were read, on the page before. */
  isBlind: boolean
  /** Ids of what it is allowed. */
  leases: readonly string[]
}

export function createJobMemory(id: string): JobMemory {
  return { id, isStarted: false, counted: undefined, calls: new Map(), results: new Map(), isBlind: false, leases: [] }
}

/** Time of an event, from the runtime if it sends one. */
export function timeOf({ type, payload }: JobFrame, now: string): string {
  return type === 'job.event' && isDateTime(payload.ts) ? payload.ts : now
}

/** What a frame of a job means. @param ordinal the how manieth it is. @throws ValidationError when its kind cannot have its body */
export function translateFrame(job: JobMemory, frame: JobFrame, ordinal: number, now: string): Saying[] {
  switch (frame.type) {
    case 'job.event':
      return translateEvent(job, readEvent(frame.payload), ordinal, timeOf(frame, now))
    case 'job.result':
      return [...translateResult(job, frame), ...leasesEnd(job)]
    case 'job.error':
      return [...leasesEnd(job), endOf(frame)]
  }
}

function translateEvent(job: JobMemory, event: JobEvent, ordinal: number, at: string): Saying[] {
  switch (event.kind) {
    case 'log':
      return [said('log', event.body)]
    case 'thought': {
      // Each is a separate, complete thought.
      const members = { stream_id: `${job.id}/thought/${ordinal}` }
      const content = { role: 'assistant', content: event.body.text, sequence: 0 }
      return [
        said('stream.open', { kind: 'thought', related_job_id: job.id }, members),
        said('stream.chunk', content, members),
        said('stream.close', {}, members),
      ]
    }
    case 'tool_call': {
      const { tool: name, args: input, call_id: id } = event.body
      job.calls.set(id, event.body)
      return [saidMore('tool_call', event.body, { type: 'tool-call', name, input, status: 'running' }, callPart(id))]
    }
    case 'tool_result': {
      const { call_id: id, result, error } = event.body
      // A call that was refused has a result alone.
      const { tool: name = 'tool', args: input } = job.calls.get(id) ?? {}
      job.calls.delete(id)
      const status = error === undefined ? 'complete' : 'failed'
      const output = error ?? result
      return [saidMore('tool_result', event.body, { type: 'tool-call', name, input, output, status }, callPart(id))]
    }
    case 'status':
      return translateStatus(job, event.body, at)
    case 'metric':
      return translateMetric(job, event.body)
    case 'artifact_ref': {
      const { uri, content_type: mediaType, byte_size: size, sha256 } = event.body
      return [said('artifact.ref', { artifact_id: uri, uri, media_type: mediaType, size, sha256 })]
    }
    case 'delegate': {
      const { delegate_id: id, agent, input } = event.body
      const raw = { delegate_id: id, agent, input }
      return [saidMore('delegate', raw, { type: 'unknown', name: 'delegate', raw })]
    }
    case 'progress': {
      const { current, total, message } = event.body
      job.counted = { current, total }
      return [said('job.progress', { ...job.counted, message })]
    }
    case 'result_chunk':
      return addChunk(job, event.body)
    case 'unknown': {
      const { name, body: raw } = event
      return [saidMore(name, isJsonObject(raw) ? raw : { body: raw }, { type: 'unknown', name, raw })]
    }
  }
}

function callPart(id: string): string {
  return `call/${id}`
}

function translateStatus(job: JobMemory, { phase, message }: EventBody<'status'>, at: string): Saying[] {
  // What rotates is secret.
  if (phase === 'credential_rotated') return []
  if (phase === 'back_pressure') return [said('log', { level: 'debug', message: message ?? phase })]
  const progress = said('job.progress', { ...job.counted, message: message ?? phase })
  if (phase !== 'running' || job.isStarted) return [progress]
  job.isStarted = true
  const started = said('job.started', { job_id: job.id, started_at: at })
  return message === undefined ? [started] : [started, progress]
}

/** The remaining budget is that of one job: it is measured for each. Costs in dollars add up under their reserved name as well. */
function translateMetric(job: JobMemory, { dims, dimensions, ...metric }: EventBody<'metric'>): Saying[] {
  const { name, value, unit } = metric
  const own = dims ?? dimensions
  if (name === BUDGET) return [remaining(job, value, unit, own)]
  const measured = said('metric', { ...metric, dims: own })
  const isCost = name.startsWith('cost.') && name !== 'cost.usd' && !name.startsWith('cost.budget.') && unit === 'USD'
  return isCost ? [measured, said('metric', { name: 'cost.usd', value, unit: 'usd', dims: own })] : [measured]
}

const BUDGET = 'cost.budget.remaining'

/** What is left of the budget of a job. */
export function remaining(job: JobMemory, value: number, unit: string | undefined, dims: object = {}): Saying {
  return said('metric', { name: BUDGET, value, unit, dims: { ...dims, job_id: job.id } })
}

function translateResult(job: JobMemory, { payload }: FrameOf<'job.result'>): Saying[] {
  const { result, result_id: id, result_size: size, summary } = payload
  const progress = summary === undefined ? [] : [said('job.progress', { ...job.counted, message: summary })]
  if (id === undefined) return [...progress, said('job.completed', { value: result })]
  const { isWhole, value } = endResult(job, id, size)
  const warning = isWhole ? [] : [warned('The result is not whole: parts of it did not come.')]
  return [...progress, ...warning, said('job.completed', { value }, { stream_id: `${job.id}/${id}` })]
}

function endOf({ payload }: FrameOf<'job.error'>): Saying {
  const { final_status: status, code, message, retryable, details } = payload
  if (status === 'cancelled') return said('job.cancelled', { reason: message, code })
  return said('job.failed', { code, message, retryable, details })
}

/** What a job is allowed ends with it. */
function leasesEnd(job: JobMemory): Saying[] {
  return job.leases.map((id) => said('lease.revoked', { lease_id: id, reason: 'expired' }))
}

/** What an event means, before it is a message of a job. */
export interface Saying {
  readonly type: ArcpReceivedType | 'extension'
  readonly payload: object
  readonly stream_id?: string | undefined
  readonly name?: string | undefined
  readonly part?: AgentPart | undefined
  readonly partId?: string | undefined
}

/** In the words of ARCP 1.0. */
export function said<Type extends ArcpReceivedType>(
  type: Type,
  payload: ArcpPayload<Type>,
  members: Pick<Saying, 'stream_id'> = {},
): Saying {
  return { type, payload, ...members }
}

/** Something that ARCP 1.0 has no word for. @param part how a chat shows it */
export function saidMore(name: string, payload: JsonObject, part: AgentPart, partId?: string): Saying {
  return { type: 'extension', name: `arcpx.event.${name}`, payload, part, ...(partId === undefined ? {} : { partId }) }
}

/** A warning that a user can read. */
export function warned(message: string): Saying {
  return said('log', { level: 'warn', message })
}

export interface MessageMembers {
  readonly id: string
  readonly timestamp: string
  readonly session_id?: string | undefined
  readonly job_id?: string | undefined
  readonly correlation_id?: string | undefined
  readonly subscription_id?: string | undefined
}

/** A message of ARCP 1.0. */
export function toMessage(saying: Saying, members: MessageMembers): ArcpMessage {
  // Type and payload belong together: `said` guarantees it.
  return { arcp: '1.0', ...members, ...saying } as ArcpMessage
}
