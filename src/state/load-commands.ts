import type { ChatCommands, ChatCommandsOptions } from './chat-commands.ts'

/** What the module of commands exports. */
interface CommandsModule {
  createChatCommands(options: ChatCommandsOptions): ChatCommands
}

let loaded: CommandsModule | undefined

/** Loads the code of commands, which most pages need none of. A load that failed is tried again at the next call. */
export async function loadCommandsModule(): Promise<CommandsModule> {
  return (loaded ??= await import('./chat-commands.ts'))
}

/** The commands of a chat, made when the first is used. */
export function loadCommands(options: ChatCommandsOptions): () => Promise<ChatCommands> {
  let commands: ChatCommands | undefined
  return async () => {
    const { createChatCommands } = loaded ?? (await loadCommandsModule())
    return (commands ??= createChatCommands(options))
  }
}
