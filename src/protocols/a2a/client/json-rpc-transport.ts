import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { A2ACall, A2AFrames, A2ATransport } from '../a2a-transport.ts'
import { invalidResponse, toRpcError } from '../errors.ts'
import type { A2AHttpOptions } from './http-calls.ts'
import { createHttpCalls, originOf } from './http-calls.ts'

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
export function envelopeResult(envelope: unknown, isBareTaken: boolean): unknown {
  if (isJsonObject(envelope)) {
    if (envelope.error !== undefined && envelope.error !== null) throw toRpcError(envelope.error)
    if ('result' in envelope) return envelope.result
    if (isBareTaken) return envelope
  }
  throw invalidResponse('the answer has neither a result nor an error')
}
