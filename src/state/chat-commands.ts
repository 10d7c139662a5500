import type { ChangeLease } from './chat-leases.ts'
import { createChangeLease } from './chat-leases.ts'
import type { ChatPrompts, ChatPromptsOptions } from './chat-prompts.ts'
import { createChatPrompts } from './chat-prompts.ts'
import type { ChatSay } from './chat-say.ts'
import { createChatSay } from './chat-say.ts'

/** What a user says to a run that has begun. */
export type ChatCommands = ChatPrompts & { readonly say: ChatSay; readonly changeLease: ChangeLease }

export function createChatCommands(options: ChatPromptsOptions): ChatCommands {
  return { ...createChatPrompts(options), say: createChatSay(options), changeLease: createChangeLease(options) }
}
