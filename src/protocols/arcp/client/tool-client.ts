import type { JsonObject } from '../../../base/json-object.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpJobBounds, ArcpRequest } from '../request.ts'
import { warnDeveloper } from '../../../base/warn-developer.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import type { AgentClient } from '../../../session/agent-client.ts'
import type { ArcpClient } from './arcp-client.ts'

export interface ToolClientOptions {
  /** The tool that answers. */
  readonly tool: string
  /**
   * Its arguments, made of what the user said. ARCP has no other place for the metadata of a message or of `regenerate`: the tool receives
   * what this puts into its arguments. In development a warning says when `metadata` was given and not read.
   */
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
  let make = toArguments
  try {
    if (process.env.NODE_ENV !== 'production') make = watchMetadata(tool, toArguments)
  } catch {
    // A page without a bundler: nothing says that it is in development.
  }
  return {
    ...arcp.runs,
    async createRequest(input) {
      return { tool, arguments: await make(input), idempotencyKey: input.requestId, bounds }
    },
  }
}

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

/** Development only: warns when metadata was sent that the arguments are made without. */
function watchMetadata(tool: string, toArguments: ToolClientOptions['toArguments']): ToolClientOptions['toArguments'] {
  return async (input) => {
    const { metadata } = input
    let isRead = metadata === undefined
    const watched = {
      enumerable: true,
      get() {
        isRead = true
        return metadata
      },
    }
    // Descriptors, not values: the history is made when it is read. They have every member of the input.
    const given = Object.defineProperties({} as ChatInput, {
      ...Object.getOwnPropertyDescriptors(input),
      metadata: watched,
    })
    const made = await toArguments(given)
    if (!isRead)
      warnDeveloper(
        `A message to the tool ${JSON.stringify(tool)} has metadata, and toArguments does not read it, so the tool did not receive it. Put input.metadata into the arguments, as the tool wants it.`,
      )
    return made
  }
}
