import { noop } from '../../base/noop.ts'
import { systemClock } from '../../base/ports/clock.ts'
import type { Transport, TransportAnswer } from '../../wire/transport.ts'
import type { Command, CommandResult } from '../../seam/command.ts'
import type { AgentProtocol, Cursor } from '../../seam/protocol.ts'
import { type ControlName, announcedControl, controlName, readHandle } from './handle.ts'
import { type Credential, createCredential, sendAuthorized } from '../../wire/credential.ts'
import {
  type CapEndpointOptions,
  resolveUrls,
  type CapDialect,
  type OlderServerOptions,
  resolveOlderServer,
} from './endpoint.ts'
import { createCapError, toCapError, toContentTypeError, toHttpError, urlPath, withUrl } from './errors.ts'
import { FIRST_SEQ, ONLY_STREAM, type CapPacket } from './read/usual-packet.ts'
import { isRefusal } from '../../wire/http-errors.ts'
import { loadRarePackets, loadRareRequests } from './load-on-demand.ts'
import { foldOf, handleOf, readPackets } from './read-packets.ts'
import type { ServiceRequestInput } from './schema/request.ts'
import { stringifyWellFormed } from '../../base/bounded-json.ts'
import { canonicalUuid } from './values/scalars.ts'

/**
 * How to take data that breaks the protocol. `strict` (RFC 004, the default) fails the run with a typed
 * error; `tolerant` leaves the packet out with a diagnostic and wraps unstructured errors.
 */
export type CapMode = 'strict' | 'tolerant'

export interface CapProtocolOptions extends CapEndpointOptions, OlderServerOptions {
  readonly transport: Transport
  /** What is done with data that breaks the protocol: `strict` throws, `tolerant` leaves it out. @default 'strict' */
  readonly mode?: CapMode | undefined
  /** Keys shared with other calls, in place of `apiKey`. @default one made of `apiKey` */
  readonly credential?: Credential | undefined
  /** Epoch milliseconds, to read the times of the server on. @default the clock of the platform */
  readonly now?: (() => number) | undefined
}

const HEADER_SAFE = /^[\u0020-\u007e]*$/
/** The stream of an unnumbered answer that begins again, so that it is another one than before. */
const NEXT_STREAM = 'stream-again'

const BROKEN_OFF = {
  kind: 'connection',
  code: 'truncated',
  severity: 'FATAL',
  message:
    'The connection ended before the agent had finished, and an answer without packet numbers cannot be resumed.',
} as const

const isNumbered = ({ seq }: Cursor): boolean => seq !== undefined

/** What writes it is loaded by those clients alone that ask an older server. */
async function inDialect(body: string, dialect: Exclude<CapDialect, 'G1'>): Promise<string> {
  const { writeOlderRequest } = await loadRareRequests()
  return writeOlderRequest(body, dialect)
}

/**
 * CAP as an `AgentProtocol`: one POST, its packets as neutral events (cap.md sections 1, 4, 5).
 *
 * @example
 * ```ts
 * import { capProtocol, fetchTransport } from 'capstan'
 *
 * const protocol = capProtocol({ baseUrl: 'https://agent.example', transport: fetchTransport() })
 * console.log(protocol.name)
 * ```
 */
export function capProtocol(options: CapProtocolOptions): AgentProtocol<ServiceRequestInput, CapPacket> {
  const { mode = 'strict', now = () => systemClock.date() } = options
  const { dialect, restarts } = resolveOlderServer(options)
  const urls = resolveUrls(options)
  const credential = options.credential ?? createCredential(options.apiKey)
  /**
   * Request bodies by request object: every attempt of a run sends the same bytes, even if the object changes in
   * between.
   */
  const bodies = new WeakMap<ServiceRequestInput, string>()

  async function bodyOf(request: ServiceRequestInput, attempt: number): Promise<string> {
    let body = attempt > 0 ? bodies.get(request) : undefined
    if (body === undefined) {
      body = stringifyWellFormed(request)
      if (dialect !== 'G1') body = await inDialect(body, dialect)
      bodies.set(request, body)
    }
    return body
  }

  /** Without numbers a repeated answer cannot be distinguished from a new one: a retry has to begin with an empty answer. */
  const canResume = (cursors: readonly Cursor[]): boolean =>
    cursors.every(isNumbered) || (restarts && !cursors.some(isNumbered))

  /** The commands that the server announced last, for runs whose first answer is not here. */
  let control: readonly string[] | undefined

  const post = (
    url: string,
    body: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<TransportAnswer> =>
    sendAuthorized({ ...options, credential }, { url, method: 'POST', headers, body, signal })

  /** A command goes only to a server that has announced it. */
  async function act(command: Command, name: ControlName, signal: AbortSignal): Promise<CommandResult> {
    const announced = readHandle(command.handle).control ?? control
    if (announced?.includes(name) !== true) return { result: 'unsupported' }
    const { controlBody, controlUrl, toCommandResult } = await loadRareRequests()
    const url = controlUrl(urls.assist, command.requestId, name)
    const own = { 'content-type': 'application/json', accept: 'application/json' }
    const answer = await post(url, stringifyWellFormed(controlBody(command)), own, signal)
    return toCommandResult(answer, name, `POST ${urlPath(url)}`)
  }

  // Now, and not when an answer needs it: by then the connection may be down, or the files of the app replaced by those of a new version.
  loadRarePackets().catch(noop)

  return {
    name: 'CAP',
    server: URL.canParse(urls.assist) ? new URL(urls.assist).origin : '',
    createError: createCapError,
    conversationIdFault,
    firstSeq: FIRST_SEQ,
    sharesState: true,
    canResume,
    async *open({ request, requestId, attempt, cursors, handle, signal }) {
      try {
        const { lastEventId, shared } = readHandle(handle)
        // A run is resumed that was disconnected: the session has not sent it.
        if (!canResume(cursors)) throw createCapError(BROKEN_OFF)
        const again = !cursors.every(isNumbered)
        const stream = cursors.some(({ streamId }) => streamId === ONLY_STREAM) ? NEXT_STREAM : ONLY_STREAM
        const own = {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          'x-request-id': requestId,
          // A server that reads the header would skip the earlier packets.
          ...(!again && lastEventId !== undefined && lastEventId !== '' && HEADER_SAFE.test(lastEventId)
            ? { 'last-event-id': lastEventId }
            : {}),
        }
        // Once more, where it could not be fetched.
        loadRarePackets().catch(noop)
        const answer = await post(urls.assist, await bodyOf(request, attempt), own, signal)
        if (answer.kind === 'body' && isRefusal(answer.status))
          throw await toHttpError(answer, `POST ${urlPath(urls.assist)}`)
        if (answer.kind === 'body' && answer.contentType !== 'application/json') throw await toContentTypeError(answer)
        const announced = announcedControl(answer.headers)
        // JSON may come from something other than the agent, which does not take back what the agent has announced.
        control = answer.kind === 'events' ? announced : (announced ?? readHandle(handle).control ?? control)
        // A stop must not wait for it later.
        if (control !== undefined) loadRareRequests().catch(noop)
        yield { deliveries: [], handle: handleOf(control, lastEventId, shared) }
        const isEdited = request.payload.metadata?.['state_edit'] !== undefined
        // An answer that begins again begins with what was sent.
        const before = again ? undefined : shared
        const fold = isEdited ? await foldOf(request, before) : undefined
        if (answer.kind === 'body') {
          const { readServiceResponse, toResponseDeliveries } = await loadRarePackets()
          const response = toResponseDeliveries(await readServiceResponse(answer, requestId))
          const deliveries = fold === undefined ? response : [fold.begin('response'), ...response]
          // A whole answer after a part of one: a separate stream, so that the part does not stay next to it.
          yield {
            deliveries:
              cursors.length === 0
                ? deliveries
                : deliveries.map((delivery) => ({ ...delivery, cursor: { streamId: 'response' } })),
          }
        } else
          yield* readPackets(answer, {
            mode,
            stream,
            again,
            control,
            lastEventId,
            now: now(),
            request,
            shared: before,
            fold,
          })
      } catch (error) {
        throw withUrl(toCapError(error), urls.assist)
      }
    },
    async act(command, { signal }) {
      const name = controlName(command)
      if (name === undefined) return { result: 'unsupported' }
      try {
        return await act(command, name, signal)
      } catch (error) {
        throw withUrl(toCapError(error), urls.assist)
      }
    },
  }
}

/** What is wrong with the id of a conversation; undefined when CAP can carry it. */
function conversationIdFault(id: string): string | undefined {
  if (canonicalUuid(id)?.length === id.length) return undefined
  return `conversationId is ${JSON.stringify(id)}, but CAP carries it as a UUID. Make ids with crypto.randomUUID(), once per conversation, and keep them.`
}
