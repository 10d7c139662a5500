import type { JsonObject } from '../../../base/json-object.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpJobBounds, ArcpRequest } from '../request.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import type { AgentClient } from '../../../session/agent-client.ts'
import type { ArcpClient } from './arcp-client.ts'

export interface ToolClientOptions {
  /** The tool that answers. */
  readonly tool: string
  /** Its arguments, made from the user's message. */
  toArguments(input: ChatInput): JsonObject | Promise<JsonObject>
  /** What a job may do, cost and take, in dialect 1.1. Absent: what the runtime allows. */
  readonly bounds?: ArcpJobBounds | undefined
}

/**
 * A chat with a tool: each message invokes it as a job, and what the job streams as text is the answer. Its questions are prompts,
 * stopping the answer cancels it. All chats and jobs of an `ArcpClient` share its connection.
 *
 * @example
 * ```ts
 * import { ArcpClient, toolClient, webSocketTransport } from 'capstan/arcp'
 *
 * const arcp = new ArcpClient({ transport: webSocketTransport({ url: 'wss://agent.example/arcp' }) })
 * const client = toolClient(arcp, { tool: 'assistant', toArguments: ({ text }) => ({ question: text }) })
 * console.log(client.timeoutMs)
 * ```
 */
export function toolClient(
  arcp: ArcpClient,
  { tool, toArguments, bounds }: ToolClientOptions,
): AgentClient<ArcpRequest, ArcpMessage> {
  return {
    ...arcp.runs,
    async createRequest(input) {
      return { tool, arguments: await toArguments(input), idempotencyKey: input.requestId, bounds }
    },
  }
}
