import type { AgUiClientOptions } from '../../src/ag-ui.ts'
import type { AgUiRunInput } from '../../src/protocols/ag-ui/request.ts'
import { AgUiClient } from '../../src/ag-ui.ts'
import { backoff, createChat, type ChatMessage } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import type { ChatState } from '../../src/state/chat-snapshot.ts'
import { eventStream } from './ai-sdk-server.ts'

/** What a server was asked. */
export interface SeenRun {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Headers
  /** Of a GET, nothing. */
  readonly body: Partial<AgUiRunInput>
}

/** What it answers: events, which may depend on what was asked, a whole body, or any response. */
export type Reply = readonly object[] | string | Response | Error | ((body: SeenRun['body']) => readonly object[])

/** A server in memory that says what it is told, request by request, and keeps what it was asked. */
export interface AgUiServer {
  readonly seen: readonly SeenRun[]
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** @param id of the first frame; the others count on. Absent: frames have none. */
export function framesOf(events: readonly object[], id?: number): string {
  return events
    .map((event, at) => `${id === undefined ? '' : `id: run/${id + at}\n`}data: ${JSON.stringify(event)}\n\n`)
    .join('')
}

/** @param replies in order, by method; without one left, 404 */
export function serveAgUi(replies: { readonly POST: readonly Reply[]; readonly GET?: readonly Reply[] }): AgUiServer {
  const seen: SeenRun[] = []
  const left: Record<string, Reply[]> = { POST: [...replies.POST], GET: [...(replies.GET ?? [])] }
  return {
    seen,
    async fetch(url, { method = 'GET', headers, body }) {
      const text = typeof body === 'string' ? body : '{}'
      const { pathname, search } = new URL(url)
      // The bodies that a client makes are objects.
      const asked = JSON.parse(text) as SeenRun['body']
      seen.push({ method, path: `${pathname}${search}`, headers: new Headers(headers), body: asked })
      const reply = left[method]?.shift() ?? new Response(null, { status: 404 })
      if (reply instanceof Error) throw reply
      if (reply instanceof Response) return reply
      const said = typeof reply === 'function' ? reply(asked) : reply
      return eventStream(typeof said === 'string' ? said : framesOf(said))
    },
  }
}

/** A chat with the server, whose reconnects wait for nothing. */
export function chatWithAgUi(
  server: Pick<AgUiServer, 'fetch'>,
  options: Partial<AgUiClientOptions> = {},
  initialState?: ChatState,
  initialMessages?: readonly ChatMessage[],
): CapturableChat {
  const client = new AgUiClient({
    url: 'https://app.test/agent',
    fetch: server.fetch,
    retry: { ...backoff({ maxAttempts: 3 }), delayMs: () => 0 },
    ...options,
  })
  return createChat({ client: () => client, conversationId: 'chat-1', initialState, initialMessages })
}

export const STARTED = { type: 'RUN_STARTED', threadId: 'chat-1', runId: 'run' }
export const FINISHED = { type: 'RUN_FINISHED', threadId: 'chat-1', runId: 'run' }

/** A message of the agent. */
export function said(messageId: string, ...words: readonly string[]): object[] {
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    ...words.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
    { type: 'TEXT_MESSAGE_END', messageId },
  ]
}

/** A call of a tool, in pieces. @param result absent: it gets none */
export function called(toolCallId: string, toolCallName: string, input: object, result?: string): object[] {
  const json = JSON.stringify(input)
  return [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: json.slice(0, 4) },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: json.slice(4) },
    { type: 'TOOL_CALL_END', toolCallId },
    ...(result === undefined
      ? []
      : [{ type: 'TOOL_CALL_RESULT', messageId: `res-${toolCallId}`, toolCallId, content: result }]),
  ]
}

/** A whole answer with one text. */
export function textAnswer(messageId: string, ...words: readonly string[]): object[] {
  return [STARTED, ...said(messageId, ...words), FINISHED]
}
