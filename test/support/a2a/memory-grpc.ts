import type { A2ACall, A2AEndpointOptions, A2AFrames, A2ATransport } from '../../../src/a2a.ts'
import { A2AError } from '../../../src/a2a.ts'

/** A status of gRPC that is not OK. `reason` is that of its `google.rpc.ErrorInfo`. */
export class GrpcStatus extends Error {
  readonly status: string
  readonly reason: string | undefined

  constructor(status: string, reason?: string) {
    super(`${status} ${reason ?? ''}`)
    this.status = status
    this.reason = reason
  }
}

/** A service of gRPC in memory: messages as bytes, of which one or a stream comes back. */
export interface GrpcService {
  unary(method: string, request: Uint8Array, signal: AbortSignal): Promise<Uint8Array>
  serverStream(method: string, request: Uint8Array, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** The codes of A2A by reason (A2A section 10.6). */
const CODES: Readonly<Record<string, string>> = {
  TASK_NOT_FOUND: '-32001',
  TASK_NOT_CANCELABLE: '-32002',
  UNSUPPORTED_OPERATION: '-32004',
}

const encode = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
const decode = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes))

/** A transport over gRPC, as an app would write one for the binding GRPC, made of public names alone. */
export function grpcTransport(service: GrpcService): (options: A2AEndpointOptions) => Required<A2ATransport> {
  const call =
    (method: string) =>
    async (params: object, { signal }: A2ACall): Promise<unknown> => {
      try {
        return decode(await service.unary(method, encode(params), signal))
      } catch (error) {
        throw toError(error)
      }
    }

  const stream = (method: string) =>
    async function* (params: object, { signal }: A2ACall): AsyncGenerator<A2AFrames> {
      try {
        for await (const bytes of service.serverStream(method, encode(params), signal))
          yield { frames: [{ response: decode(bytes), bytes: bytes.byteLength }] }
      } catch (error) {
        throw toError(error)
      }
    }

  return ({ url }) => ({
    server: url,
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
  })
}

function toError(error: unknown): A2AError {
  const isStatus = error instanceof GrpcStatus
  const agentCode = isStatus ? CODES[error.reason ?? ''] : undefined
  const message = isStatus ? error.message : 'The connection broke.'
  return agentCode === undefined
    ? new A2AError({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT', message, cause: error })
    : new A2AError({ kind: 'runtime', code: 'agent_error', severity: 'FATAL', message, agentCode })
}
