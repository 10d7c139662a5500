import type { ArcpMessage } from '../read/message.ts'
import type { ArcpChunk } from '../schema/streaming.ts'
import type { ArcpStream } from './arcp-state.ts'
import type { StateDraft } from './state-draft.ts'

/** Characters of a stream that are kept. */
const KEPT_TEXT = 1_000_000

/** What a message means for the streams. */
export function foldStream(draft: StateDraft, message: ArcpMessage): void {
  const id = message.stream_id
  if (id === undefined) return
  const known = draft.get('streams', id)
  switch (message.type) {
    case 'stream.open': {
      const { kind, content_type: contentType, related_job_id: jobId } = message.payload
      // Of one whose job is not known, a part came before this: all of it follows.
      if (known !== undefined && (known.jobId !== undefined || jobId === undefined)) return
      return draft.put('streams', id, { id, jobId, kind, contentType, state: 'open', text: '', chunks: 0 })
    }
    case 'stream.chunk': {
      // Its beginning may be missing; its kind then shows in what it has.
      const { role, content, data } = message.payload
      const kind = role !== undefined ? 'thought' : typeof (content ?? data) === 'string' ? 'text' : 'event'
      const stream = known ?? { id, jobId: message.job_id, kind, state: 'open', text: '', chunks: 0 }
      if (stream.state === 'open') draft.put('streams', id, withChunk(stream, message.payload))
      return
    }
    case 'stream.close':
      if (known?.state === 'open') draft.put('streams', id, { ...known, state: 'closed' })
      return
    case 'stream.error':
      if (known?.state === 'open') draft.put('streams', id, { ...known, state: 'failed', error: message.payload })
      return
    default:
  }
}

/** Text of a chunk of a stream of text or thoughts: runtimes put it into `data` or `content`. */
export function textOf(kind: string, { data, content }: ArcpChunk): string {
  const value = kind === 'thought' ? (content ?? data) : (data ?? content)
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether a chunk is a repetition of one that came: its number says so. */
export function isRepeated(stream: ArcpStream | undefined, { sequence }: ArcpChunk): boolean {
  return sequence !== undefined && stream?.sequence !== undefined && sequence <= stream.sequence
}

function withChunk(stream: ArcpStream, chunk: ArcpChunk): ArcpStream {
  if (isRepeated(stream, chunk)) return stream
  const { sequence, redacted } = chunk
  const isText = stream.kind === 'text' || stream.kind === 'thought'
  const text = isText ? (stream.text + textOf(stream.kind, chunk)).slice(-KEPT_TEXT) : ''
  const isGap = sequence !== undefined && stream.sequence !== undefined && sequence > stream.sequence + 1
  return {
    ...stream,
    text,
    chunks: stream.chunks + 1,
    ...(sequence === undefined ? {} : { sequence }),
    ...(isGap && stream.missingAfter === undefined ? { missingAfter: stream.sequence } : {}),
    ...(redacted === true ? { redacted } : {}),
  }
}
