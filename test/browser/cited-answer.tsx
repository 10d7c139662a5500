import { act } from 'react'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { Composer } from '../../src/components/composer/composer.tsx'
import { Message } from '../../src/components/message/message.tsx'
import { MarkdownProvider } from '../../src/components/markdown-block/markdown-block.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { Citation } from '../../src/seam/agent-event.ts'
import type { ChatMessage, MessagePart } from '../../src/state/turn.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, text } from '../components/fake-chat.ts'

/** So many sources about rivers. */
export const rivers = (count: number): readonly Citation[] =>
  Array.from({ length: count }, (_, at) => ({
    sourceId: `s${at + 1}`,
    uri: `https://river-${at + 1}.example/page`,
    title: `River ${at + 1}`,
    snippet: 'Surface water moves to the outer bank, sinks there and returns along the bed.',
    confidence: 0.84,
  }))

export const WORDS =
  'The outside of a bend wears back,[1] the inside grows.[2] So it goes on.[1]\n\nUntil the neck breaks.[3]'

/** Words and the sources they cite. */
export const cited = (words: string, count = 4): readonly MessagePart[] => [
  text(words),
  { type: 'citations', id: 'c', citations: rivers(count) },
]

interface AnswerOptions extends Partial<ChatMessage> {
  readonly dir?: 'rtl'
  /** Pixels from the edges of the page to the answer. */
  readonly top?: number
  readonly start?: number
  /** Shows the text as it was written. */
  readonly plain?: boolean
}

/** An answer in a box that clips what leaves it, and the box to write in. */
export async function showAnswer(
  parts = cited(WORDS),
  { dir, top = 0, start = 0, plain = false, ...change }: AnswerOptions = {},
): Promise<FakeChat> {
  const chat = createFakeChat({
    messages: [answer('a', parts, change)],
    status: change.status === 'streaming' ? 'streaming' : 'ready',
  })
  await render(
    <ChatContext.Provider value={chat}>
      <div dir={dir} style={{ paddingTop: top, paddingInlineStart: start }}>
        <div className="cs-part" style={{ overflow: 'hidden', contain: 'paint' }}>
          <MarkdownProvider engine={plain ? 'off' : 'lazy'}>
            <Message messageId="a" />
          </MarkdownProvider>
        </div>
      </div>
      <Composer />
    </ChatContext.Provider>,
  )
  return chat
}

export const prose = (): HTMLElement => first('.cs-prose')

/** A mark in the text, by its source and which of its marks it is. */
export const mark = (number: number, nth = 0): HTMLElement =>
  first(`.cs-prose button[aria-label="Source ${number}: River ${number}"]`, nth)

/** What of a source in the list takes the focus. */
export const source = (number: number): HTMLElement => first(`.cs-sources > ol > li:nth-child(${number}) > .cs-source`)

export const panel = (): HTMLElement => first('dialog')
export const isOpen = (popover: HTMLElement): boolean => popover.matches(':popover-open')

/** The names of the cards that are open, or about to be. */
export const openCards = (): (string | null)[] =>
  [...document.querySelectorAll('span[role=dialog]')].map((card) => card.getAttribute('aria-label'))

/** The one card that is open, when it has stopped moving. */
export async function card(): Promise<HTMLElement> {
  await expect.poll(openCards).toHaveLength(1)
  const open = first('span[role=dialog]')
  await expect.poll(() => isOpen(open)).toBe(true)
  await Promise.all(open.getAnimations().map(({ finished }) => finished))
  return open
}

export const focus = (element: HTMLElement): void => act(() => element.focus())

export const box = (): HTMLElement => page.getByRole('textbox').element() as HTMLElement

function first(selector: string, nth = 0): HTMLElement {
  const found = document.querySelectorAll<HTMLElement>(selector)[nth]
  if (!found) throw new Error(`There is no ${selector} number ${nth + 1}.`)
  return found
}
