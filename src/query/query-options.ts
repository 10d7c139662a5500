import type { QueryFunctionContext, DataTag, QueryFunction } from '@tanstack/react-query'
import { assertSettled } from '../base/assert-options.ts'
import { prepareRequest } from '../protocols/cap/assert-request.ts'
import type { ServiceRequestInput } from '../protocols/cap/schema/request.ts'
import type { ServiceResponse, HealthCheckResponse } from '../protocols/cap/schema/response.ts'
import type { CapPacket } from '../protocols/cap/read/usual-packet.ts'
import { type AssistSnapshot, createAssist } from '../state/assist.ts'
import type { CapClient } from '../protocols/cap/client/cap-client.ts'
import { AgentError, errorInit, isAgentError } from '../base/agent-error.ts'
import { createCapError } from '../protocols/cap/errors.ts'
import type { ChatMessage, MessagePart } from '../state/turn.ts'

/** An answer as far as it has come. Plain data: it can be dehydrated and persisted. */
export interface AssistAnswer {
  readonly requestId: string
  /** All text so far, over all streams. */
  readonly text: string
  /** The packets so far, each once and in order; of the newest generation when the agent began again. */
  readonly packets: readonly CapPacket[]
  /** The ServiceResponse, when the agent answered with JSON in place of a stream. */
  readonly response?: ServiceResponse | undefined
  /**
   * `complete`: the agent has reported the end. `stopped`: the query was cancelled on the way, and stays so until it is
   * fetched again. `streaming`: there is more to come. It is not requested while no component shows the answer, or after a failure.
   */
  readonly status: 'streaming' | 'stopped' | 'complete'
}

export interface AssistStreamQueryOptions extends Omit<RunQueryOptions<AssistAnswer>, 'staleTime'> {
  /** An answer that was left in its middle continues where it is shown again; any other is never stale. */
  readonly staleTime: (query: { readonly state: { readonly data: AssistAnswer | undefined } }) => number
  /** Packets are never equal to others: comparing all of them at every word would take longer than the words. */
  readonly structuralSharing: false
}

/**
 * An answer that grows in the cache, at most once a frame. The query is pending until the first packet, `fetching`
 * until the last. `cancelQueries` leaves the connection and keeps what had come, and
 * the agent works on; fetching again resumes the answer. When the last
 * component that reads it goes, the connection is left; when one comes back, the answer continues. Fails with an AgentError,
 * after the attempts of the client.
 *
 * @example
 * ```tsx
 * import { useQuery } from '@tanstack/react-query'
 * import { assistStreamQueryOptions, type AssistQuery } from 'capstan/query'
 *
 * export function Summary(query: AssistQuery) {
 *   const { data, fetchStatus } = useQuery(assistStreamQueryOptions(query))
 *   return <p aria-busy={fetchStatus === 'fetching'}>{data?.text}</p>
 * }
 * ```
 */
export function assistStreamQueryOptions({ client, request }: AssistQuery): AssistStreamQueryOptions {
  assertSettled('client', client)
  assertSettled('request', request)
  const options = runQueryOptions<AssistAnswer>(queryKeys.stream(request.request_id), (context) =>
    growAnswer({ client, request }, context),
  )
  return {
    ...options,
    staleTime: ({ state }) => (state.data?.status === 'streaming' ? 0 : Infinity),
    structuralSharing: false,
  }
}

async function growAnswer(
  { client, request }: AssistQuery,
  { client: cache, queryKey, signal }: QueryFunctionContext<CapQueryKey>,
): Promise<AssistAnswer> {
  const write = (status: AssistAnswer['status']) =>
    cache.setQueryData<AssistAnswer>(queryKey, (shown) => shown && { ...shown, status })
  // What an attempt before this one had shown stays until this one has come as far.
  const least = write('streaming')?.packets.length ?? 1
  const assist = createAssist<ServiceRequestInput, CapPacket>({ client: () => client, prepare: prepareRequest })
  const unsubscribe = assist.subscribe(() => {
    const snapshot = assist.getSnapshot()
    if (!signal.aborted && snapshot.packets.length >= least)
      cache.setQueryData(queryKey, answerOf(snapshot, request, 'streaming'))
  })
  const leave = (): void => {
    // Without a component that shows it, the answer continues where one comes back.
    if (cache.getQueryCache().find({ queryKey, exact: true })?.isActive()) write('stopped')
    assist.disconnect()
  }
  signal.addEventListener('abort', leave)
  try {
    await assist.start(request, request.request_id)
  } finally {
    signal.removeEventListener('abort', leave)
    unsubscribe()
  }
  signal.throwIfAborted()
  const snapshot = assist.getSnapshot()
  if (snapshot.error !== undefined) throw snapshot.error
  return answerOf(snapshot, request, 'complete')
}

function answerOf(
  { text, packets, response }: AssistSnapshot<CapPacket>,
  { request_id: requestId }: ServiceRequestInput,
  status: AssistAnswer['status'],
): AssistAnswer {
  // The client speaks CAP: in place of a stream there is a validated ServiceResponse.
  return { requestId, text, packets, ...(response !== undefined && { response: response as ServiceResponse }), status }
}

export interface AssistQuery {
  readonly client: CapClient
  /** Its `request_id` names the query: the same id is the same run, here and at the agent. Keep it over renders. */
  readonly request: ServiceRequestInput
}

/**
 * The ServiceResponse of an agent that answers with JSON. Cancelling the query ends the run. Fails with an AgentError,
 * after the attempts of the client; with code `unexpected_content_type` when the agent streams.
 *
 * @example
 * ```tsx
 * import { useQuery } from '@tanstack/react-query'
 * import { assistQueryOptions, type AssistQuery } from 'capstan/query'
 *
 * export function Summary(query: AssistQuery) {
 *   const { data, error } = useQuery(assistQueryOptions(query))
 *   return <p>{error ? error.code : String(data?.output['text'] ?? '')}</p>
 * }
 * ```
 */
export function assistQueryOptions({ client, request }: AssistQuery): RunQueryOptions<ServiceResponse> {
  assertSettled('client', client)
  assertSettled('request', request)
  return runQueryOptions(queryKeys.assist(request.request_id), ({ signal }) => askForResponse(client, request, signal))
}

/** Options of a query that asks an agent: for `useQuery`, `useSuspenseQuery`, `prefetchQuery` and the rest. Add to them by spreading. */
export interface AgentQueryOptions<Data> {
  readonly queryKey: DataTag<CapQueryKey, Data, AgentError>
  readonly queryFn: QueryFunction<Data, CapQueryKey>
  /** Never: the client has already made its attempts when the query fails. */
  readonly retry: (failures: number, error: AgentError) => boolean
}

/** Options of a query whose answer belongs to one request id: fetched once, and again only on request. */
export interface RunQueryOptions<Data> extends AgentQueryOptions<Data> {
  readonly staleTime: number
  readonly refetchOnWindowFocus: false
  readonly refetchOnReconnect: false
  /** The client itself waits for the network. */
  readonly networkMode: 'always'
}

const noRetry = (_failures: number, _error: AgentError): boolean => false

/** What all queries of one run have in common. The key carries the type of the data, which is what the cast adds. */
function runQueryOptions<Data>(
  queryKey: CapQueryKey,
  queryFn: QueryFunction<Data, CapQueryKey>,
): RunQueryOptions<Data> {
  return {
    queryKey: queryKey as DataTag<CapQueryKey, Data, AgentError>,
    async queryFn(context) {
      // StrictMode unmounts a first mount immediately: it must not cost a request.
      await Promise.resolve()
      context.signal.throwIfAborted()
      return queryFn(context)
    },
    retry: noRetry,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    networkMode: 'always',
  }
}

/** A request that is answered with JSON, all at once. @throws CapError like `CapClient.assist`; `unexpected_content_type` when the agent streams */
export async function askForResponse(
  client: CapClient,
  request: ServiceRequestInput,
  signal?: AbortSignal,
): Promise<ServiceResponse> {
  const stream = client.assist(request, signal === undefined ? {} : { signal })
  for await (const packet of stream) throw streamed(packet.op)
  if (stream.response !== undefined) return stream.response
  signal?.throwIfAborted()
  throw streamed('no packet')
}

function streamed(what: string): Error {
  return createCapError({
    kind: 'protocol',
    code: 'unexpected_content_type',
    severity: 'FATAL',
    message:
      'The agent answers with a stream, and one JSON ServiceResponse was expected. Ask with assistStreamQueryOptions to show it while it grows.',
    details: { first: what },
  })
}

export interface HealthQuery {
  readonly client: CapClient
  /**
   * Names the agent in the cache. Needed when the server has asked already and the page is to know it.
   *
   * @default a name of the client's own
   */
  readonly agent?: string | undefined
}

export type HealthQueryOptions = AgentQueryOptions<HealthCheckResponse>

/**
 * `GET /health`, once. For a page that keeps asking there is `useCapHealth`. Fails with an AgentError.
 *
 * @example
 * ```tsx
 * import { useQuery } from '@tanstack/react-query'
 * import type { CapClient } from 'capstan'
 * import { healthQueryOptions } from 'capstan/query'
 *
 * export function Health({ client }: { client: CapClient }) {
 *   const { data } = useQuery(healthQueryOptions({ client }))
 *   return <p>{data?.status ?? 'unknown'}</p>
 * }
 * ```
 */
export function healthQueryOptions({ client, agent = nameOf(client) }: HealthQuery): HealthQueryOptions {
  assertSettled('client', client)
  return {
    // The key carries the type of the data.
    queryKey: queryKeys.health(agent) as DataTag<CapQueryKey, HealthCheckResponse, AgentError>,
    queryFn: ({ signal }) => client.health({ signal }),
    retry: noRetry,
  }
}

const names = new WeakMap<CapClient, string>()

let named = 0

/** Two clients without a name must never read each other's answer. */
function nameOf(client: CapClient): string {
  const name = names.get(client) ?? `client ${(named += 1)}`
  names.set(client, name)
  return name
}

/** Arguments of a function that loads. */
export interface LoadContext {
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal
}

/** Options of a query that reads from a store of the app. Retries, staleness and the rest are those of your QueryClient; add to them by spreading. */
export interface LoadQueryOptions<Data> {
  readonly queryKey: DataTag<CapQueryKey, Data>
  readonly queryFn: QueryFunction<Data, CapQueryKey>
}

export interface ThreadListQuery<Thread> {
  /** Reads the conversations, in the order in which they are shown. */
  readonly load: (context: LoadContext) => Promise<readonly Thread[]>
  /**
   * Whose conversations, or which of them: lists of different scopes do not mix. Absent: lists of this kind share one
   * entry of the cache.
   */
  readonly scope?: string | undefined
}

/**
 * The conversations a user can go back to, whatever your store keeps of each.
 *
 * @example
 * ```tsx
 * import { useQuery } from '@tanstack/react-query'
 * import { threadListQueryOptions } from 'capstan/query'
 *
 * const load = async (): Promise<{ id: string; title: string }[]> => (await fetch('/api/threads')).json()
 * export function Titles() {
 *   const { data = [] } = useQuery(threadListQueryOptions({ load }))
 *   return data.map(({ id, title }) => <p key={id}>{title}</p>)
 * }
 * ```
 */
export function threadListQueryOptions<Thread>({
  load,
  scope,
}: ThreadListQuery<Thread>): LoadQueryOptions<readonly Thread[]> {
  return {
    // The key carries the type of the data.
    queryKey: queryKeys.threads(scope) as DataTag<CapQueryKey, readonly Thread[]>,
    queryFn: ({ signal }) => load({ signal }),
  }
}

export interface ThreadHistoryQuery {
  readonly conversationId: string
  /** Reads the messages of the conversation, oldest first. */
  readonly load: (conversationId: string, context: LoadContext) => Promise<readonly ChatMessage[]>
}

export interface ThreadHistoryQueryOptions extends LoadQueryOptions<readonly ChatMessage[]> {
  readonly select: (messages: readonly ChatMessage[]) => readonly ChatMessage[]
}

/**
 * The messages of a conversation, for `initialMessages` of `useCapChat`. In the cache their errors are plain objects,
 * so that they survive dehydration and persisting; the query returns `AgentError`s.
 *
 * @example
 * ```tsx
 * import { useSuspenseQuery } from '@tanstack/react-query'
 * import type { ChatMessage } from 'capstan'
 * import { threadHistoryQueryOptions } from 'capstan/query'
 *
 * const load = async (id: string): Promise<ChatMessage[]> => (await fetch(`/api/threads/${id}`)).json()
 * export function useHistory(conversationId: string) {
 *   return useSuspenseQuery(threadHistoryQueryOptions({ conversationId, load })).data
 * }
 * ```
 */
export function threadHistoryQueryOptions({ conversationId, load }: ThreadHistoryQuery): ThreadHistoryQueryOptions {
  return {
    // The key carries the type of the data.
    queryKey: queryKeys.history(conversationId) as DataTag<CapQueryKey, readonly ChatMessage[]>,
    queryFn: async ({ signal }) => withPlainErrors(await load(conversationId, { signal })),
    select: withLiveErrors,
  }
}

/**
 * Messages whose errors are plain objects: what crosses from a server to a page, or rests in a store, as JSON. A message
 * without errors stays the same object. Causes are left out: they are of the machine they arose on.
 */
function withPlainErrors(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  // Plain in the cache only: withLiveErrors is applied before anybody reads them.
  return mapErrors(messages, (error) =>
    isAgentError(error) ? ({ ...errorInit(error), cause: undefined } as AgentError) : error,
  )
}

/** The same with AgentErrors again. */
function withLiveErrors(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  // What is no AgentError here was made plain by withPlainErrors, or by JSON on its way.
  return mapErrors(messages, (error) => (isAgentError(error) ? error : new AgentError(error)))
}

function mapErrors(
  messages: readonly ChatMessage[],
  change: (error: AgentError) => AgentError,
): readonly ChatMessage[] {
  return messages.map((message) => {
    const warns = message.parts.some((part) => part.type === 'warning')
    if (message.error === undefined && !warns) return message
    const parts = message.parts.map((part): MessagePart =>
      part.type === 'warning' ? { ...part, error: change(part.error) } : part,
    )
    return { ...message, parts, ...(message.error && { error: change(message.error) }) }
  })
}

/** A key of an answer in the query cache. All of them begin with `capstan`. */
export type CapQueryKey = readonly [
  'capstan',
  kind: 'health' | 'assist' | 'stream' | 'threads' | 'history',
  name: string,
]

/** The keys of all queries of this package: for `invalidateQueries`, `setQueryData` and the like without the options. */
export const queryKeys = {
  /** Everything. */
  all: ['capstan'],
  /** The health of an agent, by the name it was given. */
  health: (agent: string): CapQueryKey => ['capstan', 'health', agent],
  /** The JSON answer to a request. */
  assist: (requestId: string): CapQueryKey => ['capstan', 'assist', requestId],
  /** The streamed answer to a request. */
  stream: (requestId: string): CapQueryKey => ['capstan', 'stream', requestId],
  /** A list of conversations. */
  threads: (scope = ''): CapQueryKey => ['capstan', 'threads', scope],
  /** The messages of a conversation. */
  history: (conversationId: string): CapQueryKey => ['capstan', 'history', conversationId],
} as const
