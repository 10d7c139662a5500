import { parseBoundedJson } from '../../base/bounded-json.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { AgentError } from '../../base/agent-error.ts'
import { connectionLost } from '../duplex-errors.ts'
import type { DuplexTransport } from '../duplex-transport.ts'
import { mediaTypeOf, toAnswer } from '../fetch-answer.ts'
import { POSITION, writeRequestFrame, type AnswerHead } from './request-frame.ts'
import type { SseFrame, Transport } from '../transport.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

type Frames = AsyncIterator<readonly string[], undefined>

/** Frames that are worked through in one go, in characters: as many as `readChunks` takes of a body. */
const PIECE_LENGTH = 65_536
/** Statuses whose answer has no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])
/** Of a peer that says nothing of its answer and begins with a packet. */
const EVENTS: AnswerHead = { status: 200, headers: { 'content-type': 'text/event-stream' } }

/**
 * Requests and answers of HTTP over connections of text frames, one connection each. The first frame is the request; what comes back
 * is a head, then one packet a frame, or a body as one frame. An empty frame is a sign of life.
 */
export function frameRequests(connectTo: (url: string) => DuplexTransport): Transport {
  return {
    async send(request) {
      const connection = await connectTo(request.url).connect({ signal: request.signal })
      let isStreaming = false
      try {
        connection.send(writeRequestFrame(request))
        const frames = connection.frames[Symbol.asyncIterator]()
        const { head, rest } = await readHead(frames)
        const isOk = head.status >= 200 && head.status < 300
        isStreaming = isOk && mediaTypeOf(head.headers['content-type']) === 'text/event-stream'
        const body = isStreaming || BODILESS.has(head.status) ? null : await readBody(frames, rest)
        return toAnswer(toResponse(head, body), () => readBatches(frames, rest))
      } finally {
        if (!isStreaming) connection.close()
      }
    },
  }
}

async function readHead(frames: Frames): Promise<{ readonly head: AnswerHead; readonly rest: readonly string[] }> {
  for (;;) {
    const { done, value: batch } = await frames.next()
    if (done === true) throw connectionLost('The agent closed the connection before it answered.')
    const at = batch.findIndex((frame) => frame !== '')
    const first = batch[at]
    if (first === undefined) continue
    const head = toHead(first)
    return head === undefined ? { head: EVENTS, rest: batch.slice(at) } : { head, rest: batch.slice(at + 1) }
  }
}

/** Undefined for a packet: none has a status. */
function toHead(frame: string): AnswerHead | undefined {
  let value: unknown
  try {
    value = parseBoundedJson(frame)
  } catch {
    // Whoever reads the packets says what is wrong with it.
    return undefined
  }
  if (!isJsonObject(value) || typeof value.status !== 'number') return undefined
  const headers: Record<string, string> = {}
  for (const [name, text] of Object.entries(isJsonObject(value.headers) ? value.headers : {}))
    if (typeof text === 'string') headers[name.toLowerCase()] = text
  return { status: value.status, headers }
}

async function readBody(frames: Frames, rest: readonly string[]): Promise<string> {
  let batch = rest
  for (;;) {
    const body = batch.find((frame) => frame !== '')
    if (body !== undefined) return body
    const { done, value } = await frames.next()
    if (done === true) return ''
    batch = value
  }
}

function toResponse({ status, headers }: AnswerHead, body: string | null): Response {
  try {
    return new Response(body, { status, headers })
  } catch (cause) {
    throw new AgentError({
      kind: 'protocol',
      code: 'invalid_response',
      severity: 'FATAL',
      message: 'The agent began its answer with a status or headers that HTTP does not have.',
      cause,
    })
  }
}

async function* readBatches(frames: Frames, rest: readonly string[]): AsyncGenerator<readonly SseFrame[]> {
  let id = ''
  let batch = rest
  try {
    for (;;) {
      let read: SseFrame[] = []
      let length = 0
      for (const frame of batch) {
        if (frame.startsWith(POSITION)) id = readPosition(frame) ?? id
        else if (frame !== '') read.push({ event: 'message', data: frame, id })
        length += frame.length
        if (length < PIECE_LENGTH) continue
        yield read
        await yieldToEventLoop()
        read = []
        length = 0
      }
      if (read.length > 0 || batch !== rest) yield read
      const { done, value } = await frames.next()
      if (done === true) return
      batch = value
    }
  } finally {
    await frames.return?.()
  }
}

function readPosition(frame: string): string | undefined {
  try {
    const value = parseBoundedJson(frame)
    return isJsonObject(value) && typeof value.last_event_id === 'string' ? value.last_event_id : undefined
  } catch {
    return undefined
  }
}
