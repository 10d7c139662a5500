import { type JsonObject, isJsonObject } from '../../../base/json-object.ts'
import type { A2ACall, A2AFrames, A2ATransport } from '../a2a-transport.ts'
import { invalidResponse, toRpcError } from '../errors.ts'
import { type A2AHttpOptions, createHttpCalls, originOf } from './http-calls.ts'

/** Where an agent is, and how requests reach it. */
export interface A2AEndpointOptions extends A2AHttpOptions {
  /** Address of its interface, as its card names it. */
  readonly url: string
}

/** What makes a transport for the interfaces of each `protocolBinding`; of another version than 1.x, with that version behind it: `JSONRPC 0.3`. */
export type A2ABindings = Readonly<Record<string, (options: A2AEndpointOptions) => A2ATransport>>

/**
 * A2A 1.0 over JSON-RPC and server-sent events, the binding that every agent has.
 *
 * @example
 * ```ts
 * import { A2AClient, jsonRpcTransport } from 'capstan/a2a'
 *
 * const transport = jsonRpcTransport({ url: 'https://agent.example/a2a', apiKey: async () => 'a key of this user' })
 * const client = new A2AClient({ transport })
 * ```
 */
export function jsonRpcTransport({ url, ...options }: A2AEndpointOptions): Required<A2ATransport> {
  const http = createHttpCalls(options)
  let ids = 0

  const post = (method: string, params: JsonObject, { signal }: A2ACall) =>
    ({ method: 'POST', url, body: { jsonrpc: '2.0', id: (ids += 1), method, params }, signal }) as const

  const call =
    (method: string) =>
    async (params: JsonObject, { signal }: A2ACall): Promise<unknown> =>
      envelopeResult(await http.json(post(method, params, { signal })), false)

  const stream =
    (method: string) =>
    (params: JsonObject, { signal }: A2ACall): AsyncIterable<A2AFrames> =>
      http.events(post(method, params, { signal }), (value) => envelopeResult(value, true))

  return {
    server: originOf(url),
    sendMessage: call('SendMessage'),
    sendMessageStream: stream('SendStreamingMessage'),
    resubscribe: stream('SubscribeToTask'),
    getTask: call('GetTask'),
    listTasks: call('ListTasks'),
    cancelTask: call('CancelTask'),
    getExtendedAgentCard: call('GetExtendedAgentCard'),
    createTaskPushNotificationConfig: call('CreateTaskPushNotificationConfig'),
    getTaskPushNotificationConfig: call('GetTaskPushNotificationConfig'),
    listTaskPushNotificationConfigs: call('ListTaskPushNotificationConfigs'),
    deleteTaskPushNotificationConfig: call('DeleteTaskPushNotificationConfig'),
  }
}

/** What is in the envelope. Servers exist that stream without one. */
function envelopeResult(envelope: unknown, isBareTaken: boolean): unknown {
  if (isJsonObject(envelope)) {
    if (envelope.error !== undefined && envelope.error !== null) throw toRpcError(envelope.error)
    if ('result' in envelope) return envelope.result
    if (isBareTaken) return envelope
  }
  throw invalidResponse('the answer has neither a result nor an error')
}

/**
 * A2A 0.3 over JSON-RPC, for agents that know nothing newer. There is no ListTasks in it: a message whose answer did not come cannot be
 * looked up, so it counts as possibly delivered at once.
 *
 * @example
 * ```ts
 * import { A2AClient, AgentCardResolver, jsonRpcV03Transport } from 'capstan/a2a'
 *
 * const card = await new AgentCardResolver().resolve('https://agent.example')
 * const client = A2AClient.fromAgentCard(card, { bindings: { 'JSONRPC 0.3': jsonRpcV03Transport } })
 * ```
 */
export function jsonRpcV03Transport({ url, ...options }: A2AEndpointOptions): A2ATransport {
  const http = createHttpCalls(options, { version: '0.3' })
  let ids = 0

  const post = (method: string, params: JsonObject, { signal }: A2ACall) =>
    ({ method: 'POST', url, body: { jsonrpc: '2.0', id: (ids += 1), method, params }, signal }) as const

  type Write = (params: JsonObject) => JsonObject

  const call =
    (method: string, write: Write, read: (result: unknown) => unknown = (result) => result) =>
    async (params: JsonObject, { signal }: A2ACall): Promise<unknown> =>
      read(envelopeResult(await http.json(post(method, write(params), { signal })), false))

  const stream =
    (method: string, write: Write) =>
    (params: JsonObject, { signal }: A2ACall): AsyncIterable<A2AFrames> =>
      http.events(post(method, write(params), { signal }), (value) => envelopeResult(value, true))

  return {
    server: originOf(url),
    sendMessage: call('message/send', sendParams),
    sendMessageStream: stream('message/stream', sendParams),
    resubscribe: stream('tasks/resubscribe', taskParams),
    getTask: call('tasks/get', taskParams),
    cancelTask: call('tasks/cancel', taskParams),
    getExtendedAgentCard: call('agent/getAuthenticatedExtendedCard', () => ({})),
    createTaskPushNotificationConfig: call(
      'tasks/pushNotificationConfig/set',
      ({ taskId, tenant: _tenant, ...config }) => ({ taskId, pushNotificationConfig: config }),
      toPushConfig,
    ),
    getTaskPushNotificationConfig: call('tasks/pushNotificationConfig/get', configParams, toPushConfig),
    listTaskPushNotificationConfigs: call('tasks/pushNotificationConfig/list', configParams, (configs) => ({
      configs: Array.isArray(configs) ? configs.map(toPushConfig) : configs,
    })),
    deleteTaskPushNotificationConfig: call('tasks/pushNotificationConfig/delete', configParams),
  }
}

function sendParams({ message, configuration, metadata }: JsonObject): JsonObject {
  const { returnImmediately, taskPushNotificationConfig, ...rest } = isJsonObject(configuration) ? configuration : {}
  return {
    message: toOlderMessage(message),
    configuration: {
      ...rest,
      // 1.0 waits for the end of the task by default; 0.3 needs a parameter.
      blocking: returnImmediately !== true,
      ...(taskPushNotificationConfig === undefined ? {} : { pushNotificationConfig: taskPushNotificationConfig }),
    },
    metadata,
  }
}

function taskParams({ id, historyLength }: JsonObject): JsonObject {
  return { id, historyLength }
}

function configParams({ taskId, id }: JsonObject): JsonObject {
  return { id: taskId, ...(id === undefined ? {} : { pushNotificationConfigId: id }) }
}

/** In 0.3 the configuration is a member beside the id of the task. */
function toPushConfig(value: unknown): unknown {
  if (!isJsonObject(value) || !isJsonObject(value.pushNotificationConfig)) return value
  return { ...value.pushNotificationConfig, taskId: value.taskId }
}

/** A message of A2A 1.0 as 0.3 writes it: `kind` says what it and each of its parts is. */
function toOlderMessage(message: unknown): unknown {
  if (!isJsonObject(message)) return message
  const { role, parts } = message
  return {
    ...message,
    kind: 'message',
    role: role === 'ROLE_AGENT' ? 'agent' : 'user',
    parts: Array.isArray(parts) ? parts.map(toOlderPart) : parts,
  }
}

function toOlderPart(part: unknown): unknown {
  if (!isJsonObject(part)) return part
  const { text, raw, url, data, filename: name, mediaType: mimeType, metadata } = part
  if (text !== undefined) return { kind: 'text', text, metadata }
  if (raw !== undefined) return { kind: 'file', file: { bytes: raw, name, mimeType }, metadata }
  if (url !== undefined) return { kind: 'file', file: { uri: url, name, mimeType }, metadata }
  // In 0.3 data are an object.
  return { kind: 'data', data: isJsonObject(data) ? data : { value: data }, metadata }
}
