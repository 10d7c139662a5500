import { expect, vi } from 'vitest'
import { CapClient, type CapClientOptions } from '../../src/protocols/cap/client/cap-client.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { createChat } from '../../src/state/chat.ts'
import { promptsOf } from '../../src/state/prompts.ts'

/** A client of an app, which comes back at once. */
export function clientOf(url: string, options: Partial<CapClientOptions> = {}): CapClient {
  return new CapClient({ baseUrl: url, path: '/assist', environment: { random: () => 0 }, ...options })
}

/** A fetch whose first answer is cut after so many chunks. */
export function cuttingFetch(chunks: number): { readonly fetch: typeof fetch; readonly seen: readonly string[] } {
  const seen: string[] = []
  return {
    seen,
    async fetch(input, init) {
      seen.push(new Headers(init?.headers).get('last-event-id') ?? '')
      if (seen.length > 1) return fetch(input, init)
      const cut = new AbortController()
      const response = await fetch(input, { ...init, signal: cut.signal })
      let left = chunks
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk)
          left -= 1
          if (left === 0) cut.abort(new Error('The network is down.'))
        },
      })
      return new Response(response.body?.pipeThrough(counted), response)
    },
  }
}

export async function answerOf(client: CapClient, question: string): Promise<string> {
  let text = ''
  for await (const delta of client.chat(question)) text += delta
  return text
}

/** What `count` answers. */
export function counted(to: number): string {
  return Array.from({ length: to }, (_, index) => `${index + 1} `).join('')
}

export function chatOf(client: CapClient, conversationId = crypto.randomUUID()): ChatInstance {
  return createChat({ client: () => client, conversationId })
}

export async function until(is: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(is()).toBe(true), { interval: 10, timeout: 20_000 })
}

export function openPrompt(chat: ChatInstance): Prompt | undefined {
  return chat
    .getSnapshot()
    .messages.flatMap(promptsOf)
    .find(({ state }) => state === 'open')
}

/** The text of the newest answer. */
export function shown(chat: ChatInstance): string {
  const message = chat.getSnapshot().messages.at(-1)
  return message?.role === 'assistant'
    ? message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    : ''
}
