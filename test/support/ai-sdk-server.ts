import type { AiSdkClientOptions, UiMessage } from '../../src/ai-sdk.ts'
import { AiSdkClient } from '../../src/ai-sdk.ts'
import { backoff, createChat, type ChatMessage } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import type { ChatState } from '../../src/state/chat-snapshot.ts'

/** What a server was asked. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  /** The body as JSON; undefined without one. */
  readonly body: { readonly id?: string; readonly messages?: readonly UiMessage[]; readonly [key: string]: unknown }
}

/** What it answers: chunks, a whole body, or any response. */
export type Reply = readonly object[] | string | Response | Error

/** A server in memory that says what it is told, request by request, and keeps what it was asked. */
export interface AiSdkServer {
  readonly seen: readonly SeenRequest[]
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

export function framesOf(chunks: readonly object[], isDone = true): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') + (isDone ? 'data: [DONE]\n\n' : '')
}

export function eventStream(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** A body that breaks after these bytes. */
export function broken(text: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: (controller) => controller.error(new TypeError('network error')),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** @param replies in order, by method; without one left, 404 */
export function serveAiSdk(replies: { readonly POST: readonly Reply[]; readonly GET?: readonly Reply[] }): AiSdkServer {
  const seen: SeenRequest[] = []
  const left: Record<string, Reply[]> = { POST: [...replies.POST], GET: [...(replies.GET ?? [])] }
  return {
    seen,
    async fetch(url, { method = 'GET', headers, body }) {
      const text = typeof body === 'string' ? body : '{}'
      // The bodies that a client makes are objects.
      const asked = JSON.parse(text) as SeenRequest['body']
      seen.push({ method, path: new URL(url).pathname, headers: new Headers(headers), body: asked })
      const reply = left[method]?.shift() ?? new Response(null, { status: 404 })
      if (reply instanceof Error) throw reply
      if (reply instanceof Response) return reply
      return eventStream(typeof reply === 'string' ? reply : framesOf(reply))
    },
  }
}

/** A chat with the server, whose reconnects wait for nothing. */
export function chatWithAiSdk(
  server: Pick<AiSdkServer, 'fetch'>,
  options: AiSdkClientOptions = {},
  initialState?: ChatState,
  initialMessages?: readonly ChatMessage[],
): CapturableChat {
  const client = new AiSdkClient({
    api: 'https://app.test/api/chat',
    fetch: server.fetch,
    retry: { ...backoff({ maxAttempts: 3 }), delayMs: () => 0 },
    ...options,
  })
  return createChat({ client: () => client, conversationId: 'chat-1', initialState, initialMessages })
}

/** A whole answer with one text. */
export function textAnswer(messageId: string, ...words: readonly string[]): object[] {
  return [
    { type: 'start', messageId },
    { type: 'start-step' },
    { type: 'text-start', id: 't' },
    ...words.map((delta) => ({ type: 'text-delta', id: 't', delta })),
    { type: 'text-end', id: 't' },
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'stop' },
  ]
}
