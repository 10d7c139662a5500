import type { AgentError } from '../../../base/agent-error.ts'
import type { AgentEvent, AgentPart } from '../../../seam/agent-event.ts'
import type { ArcpJob, ArcpPromptState, ArcpState, ArcpStream } from '../fold/arcp-state.ts'
import { isRepeated, textOf } from '../fold/fold-message.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpErrorPayload, ArcpArtifactRef } from '../schema/payloads.ts'
import type { PromptEnd } from '../../../seam/prompt.ts'

/** What was known of a job before a message. */
export interface JobBefore {
  readonly job: ArcpJob | undefined
  /** The stream of the message. */
  readonly stream: ArcpStream | undefined
  /** Its prompts, by id. */
  readonly prompts: ReadonlyMap<string, ArcpPromptState>
}

/** What a message changed. */
export interface FoldStep {
  readonly before: JobBefore
  /** The state after the message. */
  readonly after: ArcpState
  readonly message: ArcpMessage
  /** The job it is about. */
  readonly job: ArcpJob
  /** Ids of its streams. */
  readonly streams: Iterable<string>
  /** Makes a typed error of an error that came. */
  toError(error: ArcpErrorPayload, severity?: 'WARNING'): AgentError
  /** What the clock of this device is ahead of the runtime's, in milliseconds. */
  readonly offsetMs: number
  /** Says what a message of a rare type means. Absent: there are none. */
  readonly rareEvents?: MessageEvents | undefined
}

/** What a message says of its job, in neutral events. */
export type MessageEvents = (step: FoldStep) => AgentEvent[]

const PROGRESS = 'progress'

/** What a message says of its job, in neutral events. The stream is the job. Pure. */
export function jobEvents(step: FoldStep): AgentEvent[] {
  const { before } = step
  // The first end holds. A call that is repeated is accepted as the job that has ended.
  if (before.job?.endedAt !== undefined)
    return step.message.type === 'job.accepted' ? [...messageEvents(step), ...endEvents(step)] : []
  return [...messageEvents(step), ...promptEnds(step), ...endEvents(step)]
}

function messageEvents(step: FoldStep): AgentEvent[] {
  const { before, after, message, job, streams, toError, rareEvents } = step
  const streamId = job.id
  const put = (partId: string, part: AgentPart): AgentEvent => ({ type: 'part', streamId, partId, part })
  switch (message.type) {
    case 'job.accepted':
      return [{ type: 'run-started', runId: job.id }]
    case 'job.progress':
      return [put(PROGRESS, progressPart(job))]
    case 'stream.chunk': {
      const stream = after.streams.get(message.stream_id ?? '')
      const known = before.stream
      if (stream === undefined || stream === known || isRepeated(known, message.payload)) return []
      return [...gapOf(known, stream, streamId), ...chunkEvents(stream, message, streamId)]
    }
    case 'stream.close':
    case 'stream.error': {
      const stream = after.streams.get(message.stream_id ?? '')
      if (stream === undefined) return []
      const events = stream.kind === 'thought' ? [put(stream.id, thoughtPart(stream))] : []
      if (message.type === 'stream.close') return events
      return [...events, { type: 'warning', streamId, error: toError(message.payload, 'WARNING') }]
    }
    case 'metric': {
      const { usage } = job
      const isNew = usage !== undefined && usage !== before.job?.usage
      return isNew ? [{ type: 'usage', streamId, usage }] : []
    }
    case 'log': {
      const { level, message: words } = message.payload
      const isGrave = level === 'warn' || level === 'error' || level === 'critical'
      return isGrave ? [put(message.id, { type: 'notice', message: words, code: level })] : []
    }
    case 'extension': {
      const { part, partId } = message
      return [put(partId ?? message.id, part ?? { type: 'unknown', name: message.name, raw: message.payload })]
    }
    case 'tool.result':
    case 'job.completed':
      // Streamed content has been shown, here or on the previous page.
      return message.stream_id === undefined ? resultEvents(after, job, streams) : []
    default:
      return rareEvents?.(step) ?? []
  }
}

function chunkEvents(
  stream: ArcpStream,
  { id, payload }: Extract<ArcpMessage, { type: 'stream.chunk' }>,
  streamId: string,
): AgentEvent[] {
  const put = (partId: string, part: AgentPart): AgentEvent => ({ type: 'part', streamId, partId, part })
  const { contentType: mimeType } = stream
  switch (stream.kind) {
    case 'text': {
      const text = textOf('text', payload)
      // What follows a gap is not joined to what was before it.
      const partId = stream.missingAfter === undefined ? stream.id : `${stream.id}/${stream.missingAfter}`
      return text === '' ? [] : [{ type: 'text', streamId, partId, text }]
    }
    case 'thought':
      return [put(stream.id, thoughtPart(stream))]
    case 'binary': {
      const bytes = typeof payload.data === 'string' ? payload.data : undefined
      return [put(id, { type: 'artifact', artifactId: stream.id, mimeType: payload.content_type ?? mimeType, bytes })]
    }
    case 'log':
    case 'metric':
      return []
    default:
      return [put(id, { type: 'data', data: payload.event ?? payload.data, mimeType })]
  }
}

/** Content that a runtime redacts is shown as hidden. */
function thoughtPart({ text, state, redacted }: ArcpStream): AgentPart {
  return { type: 'thought', text, status: state === 'open' ? 'running' : 'complete', redacted }
}

/** Numbers that are missing for the first time. */
function gapOf(known: ArcpStream | undefined, stream: ArcpStream, streamId: string): AgentEvent[] {
  const { missingAfter: after, sequence: before } = stream
  if (after === undefined || before === undefined || known?.missingAfter !== undefined) return []
  return [{ type: 'diagnostic', diagnostic: { kind: 'gap', streamId, after, before } }]
}

function progressPart({ id, percent, current, total, message, tool, state }: ArcpJob): AgentPart {
  const share = total !== undefined && total > 0 && current !== undefined ? current / total : undefined
  const fraction = percent === undefined ? share : percent / 100
  const amount = current !== undefined && total !== undefined ? `${current} / ${total}` : undefined
  const label = message ?? tool ?? id
  // What is done is the job: its last words may say something else.
  if (state === 'completed')
    return { type: 'progress', label: tool ?? label, status: 'complete', detail: tool && message }
  return { type: 'progress', label, status: state === 'failed' ? 'failed' : 'running', fraction, detail: amount }
}

/** The value of a tool is its answer where nothing was streamed as text. */
function resultEvents(after: ArcpState, { id: streamId, result }: ArcpJob, streams: Iterable<string>): AgentEvent[] {
  const { value, ref } = result ?? {}
  if (ref !== undefined) return [{ type: 'part', streamId, partId: ref.artifact_id, part: artifactPart(ref) }]
  if (value === undefined || value === null) return []
  if (typeof value !== 'string')
    return [{ type: 'part', streamId, partId: 'result', part: { type: 'data', data: value } }]
  const isStreamed = [...streams].some((id) => {
    const stream = after.streams.get(id)
    return stream?.kind === 'text' && stream.text !== ''
  })
  return isStreamed || value === '' ? [] : [{ type: 'text', streamId, partId: 'result', text: value }]
}

/** Prompts of the job that ended with this message. */
function promptEnds({ before, after, job }: FoldStep): AgentEvent[] {
  return [...before.prompts].flatMap(([promptId, known]): AgentEvent[] => {
    const now = after.prompts.get(promptId)?.state ?? known
    const state = endOf(now)
    if (now === known || state === undefined) return []
    return [{ type: 'prompt-settled', streamId: job.id, promptId, state }]
  })
}

/** The end of the job, where this message was it. */
function endEvents({ job, toError }: FoldStep): AgentEvent[] {
  if (job.endedAt === undefined) return []
  const streamId = job.id
  const hasProgress = job.percent !== undefined || job.current !== undefined || job.message !== undefined
  const progress: AgentEvent[] = hasProgress
    ? [{ type: 'part', streamId, partId: PROGRESS, part: progressPart(job) }]
    : []
  if (job.error !== undefined) return [...progress, { type: 'stream-failed', streamId, error: toError(job.error) }]
  return [
    ...progress,
    { type: 'stream-closed', streamId, outcome: job.state === 'cancelled' ? 'cancelled' : 'complete' },
  ]
}

/** The event for an ended prompt; undefined while it is open, and if the answering command emits it. */
function endOf(state: ArcpPromptState): PromptEnd | undefined {
  switch (state) {
    case 'expired':
    case 'withdrawn':
      return state
    case 'answered-elsewhere':
    case 'answered':
      return 'answered'
    case 'declined':
      return 'declined'
    default:
      return undefined
  }
}

/** An artifact in neutral words. */
export function artifactPart(ref: ArcpArtifactRef): AgentPart {
  const { artifact_id: artifactId, media_type: mimeType, size, data: bytes } = ref
  return { type: 'artifact', artifactId, mimeType, size, bytes, state: 'complete' }
}
