import type { Decorator } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { fn } from 'storybook/test'
import { createDraft, DraftContext } from '../../src/components/composer/draft.ts'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import type { FakeChat } from '../../test/components/fake-chat.ts'
import { createFakeChat } from '../../test/components/fake-chat.ts'

/*
 * How to write `stories/<part>.stories.tsx`:
 * - One file per component: `title: 'Parts/Citation block'`, `component`, stories with plain names. Autodocs is on for
 *   all. Each story is a test in light, dark, forced colours and right to left, and axe finds nothing in any of them.
 * - A part that only takes props: `args`. A part that reads a chat (message, list, composer, banner, connection):
 *   `decorators: [withChat]` and `parameters: { chat: { messages, status, connection, error } }`; the actions it calls
 *   show in the Actions panel.
 * - Space: `parameters: { frame: 'column' | 'narrow' | 'full' | 'chat' | 'narrow-chat' }` (see frame.tsx).
 * - Fixtures: said, answer, text, part, errorOf, connectionAt, picture, SOURCES of messages.ts. No network: media are `picture()`.
 * - A whole chat that streams for real, with cuts and pauses: `<ScriptedChat script={['…', cut(), '…']} question="…" />`.
 * - `play` is for what a user does and sees: `async ({ canvas, canvasElement, userEvent }) => { … }` with `expect`,
 *   `waitFor` from 'storybook/test'; `chatIn(canvasElement)` is the story's chat. It runs in all four guises: find things
 *   by role and name, never by colour or side.
 * - `npx vitest run --project 'stories light' stories/x.stories.tsx` while writing, `--project stories` before committing.
 * - `npm run storybook` shows them (port 6006); toolbar: theme, direction, density, contrast.
 */

const ACTIONS = [
  'sendMessage',
  'edit',
  'regenerate',
  'stop',
  'disconnect',
  'resume',
  'retry',
  'discard',
  'prepend',
  'clearError',
  'dispose',
] as const

/** A chat that stays at one snapshot. Its actions show in the Actions panel; `expect(chat.retry).toHaveBeenCalled()`. */
export function createStillChat(snapshot: Partial<ChatSnapshot> = {}): FakeChat {
  const chat = createFakeChat(snapshot)
  // Each action keeps its own type: it is wrapped, not changed.
  const actions = Object.fromEntries(
    ACTIONS.map((action) => [action, fn(chat[action] as () => unknown).mockName(action)]),
  )
  return Object.assign(chat, actions)
}

const chats = new WeakMap<HTMLElement, FakeChat>()

/** The chat that {@link withChat} gave to a story, for its play function: `chatIn(canvasElement).change('a-1', { … })`. */
export function chatIn(canvasElement: HTMLElement): FakeChat {
  const chat = chats.get(canvasElement)
  if (chat === undefined) throw new Error('This story has no chat: add withChat to its decorators.')
  return chat
}

/**
 * Puts a story inside a chat, with a draft: the parts that read one (messages, composer, banner, connection) find it
 * there. The snapshot comes from `parameters.chat`, whatever it leaves out is an idle, empty chat.
 *
 * ```tsx
 * const meta = {
 *   title: 'Parts/Message',
 *   component: Message,
 *   decorators: [withChat],
 *   parameters: { chat: { messages: [said('u-1', 'Why do rivers meander?')] } satisfies Partial<ChatSnapshot> },
 *   args: { id: 'u-1' },
 * } satisfies Meta<typeof Message>
 * ```
 */
export const withChat: Decorator = (Story, { id, parameters, canvasElement }) => (
  // Parameters are untyped in Storybook; this one is documented above.
  <StillChat key={id} snapshot={parameters['chat'] as Partial<ChatSnapshot> | undefined} canvasElement={canvasElement}>
    <Story />
  </StillChat>
)

interface StillChatProps {
  readonly snapshot: Partial<ChatSnapshot> | undefined
  readonly canvasElement: HTMLElement
  readonly children: ReactNode
}

function StillChat({ snapshot, canvasElement, children }: StillChatProps): ReactNode {
  const [chat] = useState(() => {
    const made = createStillChat(snapshot)
    chats.set(canvasElement, made)
    return made
  })
  const [draft] = useState(() => createDraft())
  return (
    <ChatContext.Provider value={chat}>
      <DraftContext.Provider value={draft}>{children}</DraftContext.Provider>
    </ChatContext.Provider>
  )
}
