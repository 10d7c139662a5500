import { stringifyWellFormed } from '../../base/bounded-json.ts'
import { type Credential, type HeaderSource, pathOf, sendAuthorized } from '../../wire/credential.ts'
import { readCommandReply, readStopReply } from '../../wire/command-reply.ts'
import { contentTypeErrorInit, httpErrorInit, isRefusal } from '../../wire/http-errors.ts'
import type { EventsAnswer, Transport, TransportAnswer } from '../../wire/transport.ts'
import type { CommandResult } from '../../seam/command.ts'
import type { AgentProtocol, Opening } from '../../seam/protocol.ts'
import { createAgUiError, DELIVERY_UNKNOWN, NOT_RESUMABLE, toAgUiError } from './errors.ts'
import type { AgUiHandle } from './handle.ts'
import { readHandle } from './handle.ts'
import type { PageTool } from './interrupt-prompt.ts'
import { REFUSE, TOLERATE } from './events.ts'
import type { Batches } from './read-stream.ts'
import { readStream } from './read-stream.ts'
import type { AgUiRequest } from './request.ts'
import type { CustomPart, RunReading } from './run-reading.ts'
import { createRunReading } from './run-reading.ts'
import type { AgUiEvent } from './events.ts'

/** A run of a thread, for addresses that are made of them. */
export interface AgUiRun {
  readonly threadId: string
  readonly runId: string
}

export interface AgUiProtocolOptions {
  readonly transport: Transport
  readonly credential: Credential
  readonly headers?: HeaderSource | undefined
  /** Where runs are posted. */
  readonly url: string
  /** How a run is resumed. False: the server keeps no log. */
  readonly resume: 'get' | 'post' | false
  /** Where a run is stopped. Absent: nowhere. */
  readonly stopUrl?: ((run: AgUiRun) => string) | undefined
  readonly isStrict: boolean
  readonly tools: Readonly<Record<string, PageTool>>
  readonly custom: Readonly<Record<string, CustomPart>>
}

/** How a server says that it keeps no log, or not this one. */
const NO_LOG: ReadonlySet<number> = new Set([400, 404, 405, 409, 410, 501])
const NO_COMMAND: ReadonlySet<number> = new Set([404, 405, 501])

/** AG-UI 1.0 behind the seam. A run is posted once; further attempts ask the server for the rest of its log. */
export function agUiProtocol(options: AgUiProtocolOptions): AgentProtocol<AgUiRequest, AgUiEvent> {
  const { url, resume, stopUrl } = options

  function send(
    method: 'GET' | 'POST',
    to: string,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<TransportAnswer> {
    return sendAuthorized(options, { url: to, method, headers, body, signal })
  }

  function readingOf({ request, requestId }: Opening<AgUiRequest>, known: AgUiHandle | undefined): RunReading {
    const deviate = options.isStrict ? REFUSE : TOLERATE
    return createRunReading({ ...options, requestId, request, known, deviate })
  }

  function post({ request, signal }: Opening<AgUiRequest>, lastId?: string): Promise<TransportAnswer> {
    const { body } = request
    const own = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      // TanStack names its log by it.
      'x-run-id': body.runId,
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    }
    return send('POST', url, signal, own, stringifyWellFormed(body))
  }

  async function answered(answer: TransportAnswer, method: string): Promise<EventsAnswer> {
    if (answer.kind === 'events') return answer
    if (isRefusal(answer.status)) throw createAgUiError(await httpErrorInit(answer, `${method} ${pathOf(url)}`))
    throw createAgUiError(await contentTypeErrorInit(answer))
  }

  async function* begin(opening: Opening<AgUiRequest>): Batches {
    const answer = await answered(await post(opening), 'POST')
    const reading = readingOf(opening, undefined)
    yield { deliveries: [], handle: reading.handle }
    yield* readStream({ answer, reading, opening })
  }

  /** Where the log of a run is asked for: from the last frame that came, else from its beginning. */
  function ask(opening: Opening<AgUiRequest>, lastId: string | undefined): Promise<TransportAnswer> {
    if (resume === 'post') return post(opening, lastId)
    const { request, signal } = opening
    const query = `runId=${encodeURIComponent(request.body.runId)}${lastId === undefined ? '&offset=-1' : ''}`
    const own = { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) }
    return send('GET', withQuery(url, query), signal, own)
  }

  async function* goOn(opening: Opening<AgUiRequest>): Batches {
    const known = readHandle(opening.handle)
    const gone = createAgUiError(known === undefined ? DELIVERY_UNKNOWN : NOT_RESUMABLE)
    const hasBegun = known !== undefined && known.reading?.seen !== 0
    // A repeated POST without an id would be a separate run, and a stream without ids has no place to continue from.
    if (resume === false || (known?.lastId === undefined && (hasBegun || resume === 'post'))) throw gone
    const answer = await ask(opening, known?.lastId)
    const isNone = answer.kind === 'body' && (NO_LOG.has(answer.status) || (!hasBegun && !isRefusal(answer.status)))
    if (isNone) throw gone
    const events = await answered(answer, resume.toUpperCase())
    if (known !== undefined) yield { deliveries: [] }
    let hasCome = false
    const reading = readingOf(opening, known)
    for await (const batch of readStream({ answer: events, reading, opening, known, isResumed: true })) {
      hasCome ||= batch.deliveries.length > 0
      // Nobody knows yet whether the server has the message: only an event tells, a heartbeat does not.
      if (known !== undefined || hasCome) yield batch
    }
    if (known === undefined && !hasCome) throw gone
  }

  async function stop(to: string, { threadId, runId }: AgUiHandle, signal: AbortSignal): Promise<CommandResult> {
    const own = { 'content-type': 'application/json', accept: 'application/json' }
    // CopilotKit's runtime has the thread in its address, and refuses it in the body.
    const isNamed = to.includes(encodeURIComponent(threadId))
    const answer = await send('POST', to, signal, own, stringifyWellFormed(isNamed ? { runId } : { threadId, runId }))
    if (NO_COMMAND.has(answer.status)) return { result: 'unsupported' }
    const isOver = answer.status === 409 || answer.status === 410
    if (answer.kind === 'body' && isRefusal(answer.status) && !isOver)
      throw createAgUiError(await httpErrorInit(answer, `POST ${pathOf(to)}`))
    const { fault } = await (isOver ? readCommandReply(answer) : readStopReply(answer))
    if (fault !== undefined) throw createAgUiError(fault)
    return { result: isOver ? 'too-late' : 'accepted' }
  }

  return {
    name: 'AG-UI',
    server: URL.canParse(url) ? new URL(url).origin : '',
    createError: createAgUiError,
    followsUp: true,
    sharesState: true,
    canResume: (_cursors, handle) => resume !== false && readHandle(handle)?.lastId !== undefined,
    async *open(opening) {
      try {
        const isSent = opening.attempt > 0 || opening.restored === true || opening.handle !== undefined
        yield* isSent ? goOn(opening) : begin(opening)
      } catch (error) {
        throw toAgUiError(error)
      }
    },
    async act({ type, handle }, { signal }) {
      const known = readHandle(handle)
      if (type !== 'cancel' || stopUrl === undefined || known === undefined) return { result: 'unsupported' }
      try {
        return await stop(stopUrl(known), known, signal)
      } catch (error) {
        throw toAgUiError(error)
      }
    },
  }
}

function withQuery(url: string, query: string): string {
  const end = url.search(/#|$/)
  const address = url.slice(0, end)
  return `${address}${address.includes('?') ? '&' : '?'}${query}${url.slice(end)}`
}
