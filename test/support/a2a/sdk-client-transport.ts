import {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import type { A2ACall, A2AFrames, A2ATransport } from '../../../src/a2a.ts'
import { A2AError } from '../../../src/a2a.ts'

type JsonObject = Record<string, unknown>

/** A transport over the client of the official SDK, made of public names alone: its messages as JSON, its errors with their code. */
export function sdkClientTransport(client: Client): A2ATransport {
  const call =
    (make: (params: JsonObject, signal: AbortSignal) => Promise<unknown>) =>
    (params: JsonObject, { signal }: A2ACall): Promise<unknown> =>
      make(params, signal).catch((error: unknown) => {
        throw toError(error)
      })

  async function* stream(open: () => AsyncIterable<StreamResponse>): AsyncGenerator<A2AFrames> {
    try {
      for await (const event of open()) yield { frames: [{ response: StreamResponse.toJSON(event) }] }
    } catch (error) {
      throw toError(error)
    }
  }

  return {
    sendMessage: call(async (params, signal) => {
      const result = await client.sendMessage(SendMessageRequest.fromJSON(params), { signal })
      return 'messageId' in result ? { message: Message.toJSON(result) } : { task: Task.toJSON(result) }
    }),
    sendMessageStream: (params, { signal }) =>
      stream(() => client.sendMessageStream(SendMessageRequest.fromJSON(params), { signal })),
    resubscribe: (params, { signal }) =>
      stream(() => client.resubscribeTask(SubscribeToTaskRequest.fromJSON(params), { signal })),
    getTask: call(async (params, signal) =>
      Task.toJSON(await client.getTask(GetTaskRequest.fromJSON(params), { signal })),
    ),
    cancelTask: call(async (params, signal) =>
      Task.toJSON(await client.cancelTask(CancelTaskRequest.fromJSON(params), { signal })),
    ),
    listTasks: call(async (params, signal) =>
      ListTasksResponse.toJSON(await client.listTasks(ListTasksRequest.fromJSON(params), { signal })),
    ),
    getExtendedAgentCard: call(async (_, signal) => AgentCard.toJSON(await client.getAgentCard({ signal }))),
  }
}

/** An error of the SDK has the code itself, or in its cause when it came in a stream. Any other is one of the connection. */
function toError(error: unknown): A2AError {
  const code = codeOf(error) ?? codeOf(Reflect.get(Object(error), 'cause'))
  const message = error instanceof Error ? error.message : 'The client of the SDK failed.'
  return code === undefined
    ? new A2AError({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT', message, cause: error })
    : new A2AError({ kind: 'runtime', code: 'agent_error', severity: 'FATAL', message, agentCode: `${code}` })
}

function codeOf(error: unknown): number | undefined {
  const code: unknown = Reflect.get(Object(error), 'envelopeCode')
  return typeof code === 'number' ? code : undefined
}
