import type { EventBody } from '../schema/events.ts'
import type { Saying } from './saying.ts'
import { said, warned } from './saying.ts'

/** A result that comes in chunks. */
export interface StreamedResult {
  /** Number of the chunk that comes next. */
  next: number
  /** Bytes that came; undefined where the first ones came to the page before. */
  size: number | undefined
  /** What came as text; undefined of bytes, and of more than is kept. */
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

/** A chunk as a part of a stream. One that was there before means nothing; chunks that are missing are told of. */
export function addChunk(job: ResultOwner, chunk: EventBody<'result_chunk'>): Saying[] {
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

/** What came of a result in the end. @param size bytes that it has, as the runtime says */
export function endResult(
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
