import { AgUiClient, type AgUiClientOptions } from '../../src/ag-ui.ts'
import { backoff, createChat } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'

/** A new chat with the agent at an address, which tries again at once. */
export function agUiChatAt(url: string, options: Partial<AgUiClientOptions> = {}): CapturableChat {
  const retry = { ...backoff({ maxAttempts: 3 }), delayMs: () => 0 }
  const client = new AgUiClient({ url, retry, ...options })
  return createChat({ client: () => client, conversationId: crypto.randomUUID() })
}
