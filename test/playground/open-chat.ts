import { onTestFinished } from 'vitest'
import type { ScenarioId } from '../../playground/server/scenarios/scenario-list.ts'
import { CapClient, textOf } from '../../src/index.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import type { ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import { createChat } from '../../src/state/chat.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import type { OpenPlayground } from './open-playground.ts'

export interface OpenChat {
  readonly chat: ChatInstance
  prompts(): readonly Prompt[]
  /** The prompt that waits for an answer, as soon as there is one. */
  asked(): Promise<Prompt>
  until(is: (snapshot: ChatSnapshot) => boolean): Promise<void>
  /** What the agent has said. */
  text(): string
}

/** Our own chat with an agent of the playground; it waits for nothing between two attempts. */
export function openChat({ origin }: OpenPlayground, scenario?: ScenarioId): OpenChat {
  const client = new CapClient({
    baseUrl: `${origin}/cap`,
    ...(scenario !== undefined && { context: { metadata: { scenario } } }),
    environment: { random: () => 0 },
  })
  const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  onTestFinished(() => chat.dispose())
  const prompts = (): readonly Prompt[] => chat.getSnapshot().messages.flatMap(promptsOf)
  const open = (): Prompt | undefined => prompts().find(({ state }) => state === 'open')
  const until = (is: (snapshot: ChatSnapshot) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!is(chat.getSnapshot())) return
        leave()
        resolve()
      }
      const leave = chat.subscribe(look)
      look()
    })
  return {
    chat,
    prompts,
    until,
    async asked() {
      await until(({ status }) => open() !== undefined || status === 'ready' || status === 'error')
      const prompt = open()
      if (prompt === undefined) throw new Error('The run has ended without a prompt.')
      return prompt
    },
    text: () =>
      chat
        .getSnapshot()
        .messages.filter(({ role }) => role === 'assistant')
        .map(textOf)
        .join(''),
  }
}
