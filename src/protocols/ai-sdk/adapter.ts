import { stringifyWellFormed } from '../../base/bounded-json.ts'
import { type Credential, type HeaderSource, pathOf, sendAuthorized } from '../../wire/credential.ts'
import { readCommandReply, readStopReply } from '../../wire/command-reply.ts'
import { contentTypeErrorInit, httpErrorInit, isRefusal } from '../../wire/http-errors.ts'
import type { Transport, TransportAnswer } from '../../wire/transport.ts'
import type { CommandResult } from '../../seam/command.ts'
import type { AgentProtocol, Opening } from '../../seam/protocol.ts'
import type { AnswerReading } from './answer-reading.ts'
import { createAnswerReading } from './answer-reading.ts'
import { createAiSdkError, DELIVERY_UNKNOWN, LOG_EXPIRED, NOT_RESUMABLE, toAiSdkError } from './errors.ts'
import type { AiSdkHandle } from './handle.ts'
import { readHandle } from './handle.ts'
import type { ClientTool } from './call-prompt.ts'
import type { Batches } from './read-stream.ts'
import { readStream } from './read-stream.ts'
import type { AiSdkRequest } from './request.ts'
import type { UiMessageChunk } from './chunks.ts'

/** Address of something that belongs to a chat. */
export type ChatUrl = (chatId: string) => string

export interface AiSdkProtocolOptions {
  readonly transport: Transport
  readonly credential: Credential
  readonly headers?: HeaderSource | undefined
  /** Where messages are posted. */
  readonly api: string
  /** Where the stream of a chat is resumed. Absent: nowhere. */
  readonly resumeUrl?: ChatUrl | undefined
  /** Where the run of a chat is stopped. Absent: nowhere. */
  readonly stopUrl?: ChatUrl | undefined
  readonly isTolerant: boolean
  /** Whether requests say by `X-Run-Id` which run of their chat they are about. */
  readonly namesRuns: boolean
  readonly clientTools: Readonly<Record<string, ClientTool>>
}

/** Chunks that nothing begins with: who sends them first continues in the middle. */
const CONTINUES = /-(?:delta|end|denied|error|response)$|^tool-output|^finish|^abort$|^error$/
/** How a server says that it has no stream for a chat. */
const NO_STREAM: ReadonlySet<number> = new Set([204, 400, 404, 405, 409, 410, 501])
const NO_COMMAND: ReadonlySet<number> = new Set([404, 405, 501])

/** The UI message stream of the AI SDK behind the seam. Only the first attempt of a run posts; later ones resume the stream of the chat. */
export function aiSdkProtocol(options: AiSdkProtocolOptions): AgentProtocol<AiSdkRequest, UiMessageChunk> {
  const { api, resumeUrl, stopUrl, namesRuns } = options

  function send(
    method: 'GET' | 'POST',
    url: string,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<TransportAnswer> {
    return sendAuthorized(options, { url, method, headers, body, signal })
  }

  const nameOf = ({ requestId }: Opening<AiSdkRequest>): Readonly<Record<string, string>> =>
    namesRuns ? { 'x-run-id': requestId } : {}

  function readingOf({ requestId, request }: Opening<AiSdkRequest>, known: AiSdkHandle): AnswerReading {
    const { isTolerant, clientTools } = options
    return createAnswerReading({ requestId, known, isTolerant, clientTools, sent: request.edited })
  }

  async function* post(opening: Opening<AiSdkRequest>): Batches {
    const { request, signal } = opening
    const own = { ...nameOf(opening), 'content-type': 'application/json', accept: 'text/event-stream' }
    const answer = await send('POST', api, signal, own, stringifyWellFormed(request.body))
    if (answer.kind === 'body') {
      if (isRefusal(answer.status)) throw createAiSdkError(await httpErrorInit(answer, `POST ${pathOf(api)}`))
      throw createAiSdkError(await contentTypeErrorInit(answer))
    }
    const before = beginning(opening)
    yield { deliveries: [], handle: before }
    yield* readStream({ answer, begin: () => readingOf(opening, before), wait: (ms) => opening.wait(ms) })
  }

  async function* resume(opening: Opening<AiSdkRequest>): Batches {
    const { request, handle, signal } = opening
    const known = readHandle(handle)
    const gone = createAiSdkError(known === undefined ? DELIVERY_UNKNOWN : LOG_EXPIRED)
    if (resumeUrl === undefined) throw known === undefined ? gone : createAiSdkError(NOT_RESUMABLE)
    const url = resumeUrl(request.chatId)
    const { lastId } = known ?? {}
    const own = {
      ...nameOf(opening),
      accept: 'text/event-stream',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    }
    const answer = await send('GET', url, signal, own)
    if (answer.kind === 'body') {
      if (!isRefusal(answer.status) || NO_STREAM.has(answer.status)) throw gone
      throw createAiSdkError(await httpErrorInit(answer, `GET ${pathOf(url)}`))
    }
    const isDoubtful = known === undefined
    if (!isDoubtful) yield { deliveries: [] }
    let hasBegun = false
    const begin = (chunk: UiMessageChunk, frameId: string): AnswerReading => {
      hasBegun = true
      if (known !== undefined && continues(known, chunk, frameId)) return readingOf(opening, known)
      const before = beginning(opening, known)
      // A stream is found by its chat alone, so it may be that of another run.
      if (isOfAnother(chunk, known, request, before.message.id)) throw gone
      return readingOf(opening, before)
    }
    yield* readStream({ answer, known, isDoubtful, begin, wait: (ms) => opening.wait(ms) })
    if (!hasBegun) throw gone
  }

  async function stop(chatId: string, stopAt: ChatUrl, signal: AbortSignal): Promise<CommandResult> {
    const url = stopAt(chatId)
    const answer = await send('POST', url, signal, { accept: 'application/json' })
    if (NO_COMMAND.has(answer.status)) return { result: 'unsupported' }
    const isOver = answer.status === 409 || answer.status === 410
    if (answer.kind === 'body' && isRefusal(answer.status) && !isOver)
      throw createAiSdkError(await httpErrorInit(answer, `POST ${pathOf(url)}`))
    const { fault } = await (isOver ? readCommandReply(answer) : readStopReply(answer))
    if (fault !== undefined) throw createAiSdkError(fault)
    return { result: isOver ? 'too-late' : 'accepted' }
  }

  return {
    name: 'AI SDK',
    server: URL.canParse(api) ? new URL(api).origin : '',
    createError: createAiSdkError,
    followsUp: true,
    sharesState: true,
    // What is known of a cut answer is not waited for.
    canResume: () => resumeUrl !== undefined,
    async *open(opening) {
      try {
        const isSent = opening.attempt > 0 || opening.restored === true || opening.handle !== undefined
        yield* isSent ? resume(opening) : post(opening)
      } catch (error) {
        throw toAiSdkError(error)
      }
    },
    async act({ type, handle }, { signal }) {
      const chatId = readHandle(handle)?.chatId
      if (type !== 'cancel' || stopUrl === undefined || chatId === undefined) return { result: 'unsupported' }
      try {
        return await stop(chatId, stopUrl, signal)
      } catch (error) {
        throw toAiSdkError(error)
      }
    },
  }
}

/** What a run begins with: nothing, or the answer that it continues. */
function beginning({ request, requestId }: Opening<AiSdkRequest>, known?: AiSdkHandle): AiSdkHandle {
  const { chatId, continues, edited } = request
  // A server that gives its messages no ids gives none in a replay either.
  const id = known?.message.id ?? `answer-${requestId}`
  const message = continues ?? { id, role: 'assistant', parts: [] }
  // A request that is made again may have another edit.
  const stateEdit = known === undefined ? edited?.id : known.stateEdit
  const own = stateEdit === undefined ? {} : { stateEdit }
  return { chatId, message, seen: 0, from: message.parts.length, open: {}, ...own }
}

/** Whether a stream continues where the last connection ended, and does not begin again. */
function continues({ first, firstId, lastId }: AiSdkHandle, chunk: UiMessageChunk, frameId: string): boolean {
  if (lastId !== undefined && frameId !== '') return frameId !== firstId
  return first === undefined ? CONTINUES.test(chunk.type) : chunk.type !== first
}

function isOfAnother(
  chunk: UiMessageChunk,
  known: AiSdkHandle | undefined,
  { answerIds }: AiSdkRequest,
  ownId: string,
): boolean {
  // Nothing is known of an answer that begins in the middle.
  if (known === undefined && CONTINUES.test(chunk.type)) return true
  const messageId = chunk.type === 'start' ? chunk.messageId : undefined
  if (messageId === undefined) return false
  if (known?.first === 'start') return messageId !== known.message.id
  return messageId !== ownId && answerIds.includes(messageId)
}
