import { createChangeLease } from './chat-leases.ts'
import type { ChatPromptsOptions } from './chat-prompts.ts'
import { createChatPrompts } from './chat-prompts.ts'
import { createChatSay } from './chat-say.ts'
import type { ChatCommands } from './load-commands.ts'

export function createChatCommands(options: ChatPromptsOptions): ChatCommands {
  return { ...createChatPrompts(options), say: createChatSay(options), changeLease: createChangeLease(options) }
}
