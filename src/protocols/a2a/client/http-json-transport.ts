import { type JsonObject, isJsonObject } from '../../../base/json-object.ts'
import type { A2ACall, A2AFrames, A2ATransport } from '../a2a-transport.ts'
import { toRpcError } from '../errors.ts'
import { type HttpCall, createHttpCalls, originOf } from './http-calls.ts'
import type { A2AEndpointOptions } from './json-rpc-transport.ts'

/** The codes of JSON-RPC by the reason of a `google.rpc.ErrorInfo`, which is what HTTP+JSON has in their place (A2A section 5.4). */
const ERROR_REASONS: Readonly<Record<string, string>> = {
  TASK_NOT_FOUND: '-32001',
  TASK_NOT_CANCELABLE: '-32002',
  PUSH_NOTIFICATION_NOT_SUPPORTED: '-32003',
  UNSUPPORTED_OPERATION: '-32004',
  CONTENT_TYPE_NOT_SUPPORTED: '-32005',
  INVALID_AGENT_RESPONSE: '-32006',
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: '-32007',
  EXTENSION_SUPPORT_REQUIRED: '-32008',
  VERSION_NOT_SUPPORTED: '-32009',
}

/**
 * A2A 1.0 over HTTP+JSON (section 11 of the specification): a path for each call, and events that are not JSON-RPC.
 *
 * @example
 * ```ts
 * import { A2AClient, httpJsonTransport } from 'capstan/a2a'
 *
 * const transport = httpJsonTransport({ url: 'https://agent.example/a2a/rest' })
 * const client = new A2AClient({ transport })
 * ```
 */
export function httpJsonTransport({ url, ...options }: A2AEndpointOptions): Required<A2ATransport> {
  const http = createHttpCalls(options, { reasons: ERROR_REASONS })
  const base = url.replace(/\/+$/, '')

  type Ask = (params: JsonObject) => Pick<HttpCall, 'method' | 'url' | 'body'>

  const call =
    (ask: Ask) =>
    async (params: JsonObject, { signal }: A2ACall): Promise<unknown> =>
      http.json({ ...ask(params), signal })

  const stream =
    (ask: Ask) =>
    (params: JsonObject, { signal }: A2ACall): AsyncIterable<A2AFrames> =>
      http.events({ ...ask(params), signal }, eventOf)

  /** A tenant is the beginning of the path. */
  const at = ({ tenant }: JsonObject, path: string): string =>
    `${base}${typeof tenant === 'string' && tenant !== '' ? `/${encodeURIComponent(tenant)}` : ''}${path}`
  const post =
    (path: (params: JsonObject) => string, bodyOf: (params: JsonObject) => unknown): Ask =>
    (params) => ({ method: 'POST', url: at(params, path(params)), body: bodyOf(params) })
  const get =
    (path: (params: JsonObject) => string, ...query: readonly string[]): Ask =>
    (params) => ({ method: 'GET', url: `${at(params, path(params))}${queryOf(params, query)}` })

  const task = (id: unknown): string => `/tasks/${encodeURIComponent(String(id))}`
  const configs = ({ taskId }: JsonObject): string => `${task(taskId)}/pushNotificationConfigs`
  const config = (params: JsonObject): string => `${configs(params)}/${encodeURIComponent(String(params.id))}`

  return {
    server: originOf(url),
    sendMessage: call(post(() => '/message:send', whole)),
    sendMessageStream: stream(post(() => '/message:stream', whole)),
    resubscribe: stream(get(({ id }) => `${task(id)}:subscribe`)),
    getTask: call(get(({ id }) => task(id), 'historyLength')),
    listTasks: call(
      get(
        () => '/tasks',
        'contextId',
        'status',
        'pageSize',
        'pageToken',
        'historyLength',
        'statusTimestampAfter',
        'includeArtifacts',
      ),
    ),
    cancelTask: call(
      post(
        ({ id }) => `${task(id)}:cancel`,
        () => ({}),
      ),
    ),
    getExtendedAgentCard: call(get(() => '/extendedAgentCard')),
    createTaskPushNotificationConfig: call(post(configs, whole)),
    getTaskPushNotificationConfig: call(get(config)),
    listTaskPushNotificationConfigs: call(get(configs, 'pageSize', 'pageToken')),
    deleteTaskPushNotificationConfig: call((params) => ({ method: 'DELETE', url: at(params, config(params)) })),
  }
}

function whole(params: JsonObject): JsonObject {
  return { ...params, tenant: undefined }
}

function queryOf(params: JsonObject, names: readonly string[]): string {
  const query = new URLSearchParams()
  for (const name of names) {
    const value = params[name]
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** An error in the stream has the form of one next to it. */
function eventOf(value: unknown): unknown {
  if (isJsonObject(value) && value.error !== undefined) throw toRpcError(value.error, undefined, ERROR_REASONS)
  return value
}
