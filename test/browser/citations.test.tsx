import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { Composer } from '../../src/components/composer/composer.tsx'
import { Message } from '../../src/components/message/message.tsx'
import { ChatContext } from '../../src/hooks/chat-context.ts'
import type { Citation } from '../../src/protocols/agent-event.ts'
import type { MessagePart } from '../../src/state/message.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, text } from '../components/fake-chat.ts'

const SOURCES: readonly Citation[] = Array.from({ length: 9 }, (_, at) => ({
  sourceId: `s${at + 1}`,
  uri: `https://river-${at + 1}.example/page`,
  title: `River ${at + 1}`,
  snippet: 'Surface water moves to the outer bank, sinks there and returns along the bed.',
  confidence: 0.84,
}))
const WORDS = 'The outside of a bend wears back,[1] the inside grows.[2] So it goes on.[1]\n\nUntil the neck breaks.[3]'

const cited = (words: string, sources: readonly Citation[] = SOURCES.slice(0, 3)): readonly MessagePart[] => [text(words), { type: 'citations', id: 'c', citations: sources }]

/** An answer in a column, with the box to write in below it. */
async function showAnswer(parts = cited(WORDS), change: Parameters<typeof answer>[2] = {}, around = (inside: ReactNode) => <div className="cs-part">{inside}</div>): Promise<FakeChat> {
  const chat = createFakeChat({ messages: [answer('a', parts, change)], status: change.status === 'streaming' ? 'streaming' : 'ready' })
  await render(
    <ChatContext.Provider value={chat}>
      {around(<Message messageId="a" />)}
      <Composer />
    </ChatContext.Provider>,
  )
  return chat
}

const marks = (name: string | RegExp = /^Source \d: /): HTMLElement[] => page.getByRole('button', { name }).elements() as HTMLElement[]
const mark = (number: number, nth = 0): HTMLElement => {
  const found = marks(`Source ${number}: River ${number}`)[nth]
  if (!found) throw new Error(`There is no mark ${number}.`)
  return found
}
const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[popover][role=dialog]')].filter((card) => card.matches(':popover-open'))
const cardOf = (number: number): HTMLElement => {
  const [card] = cards()
  expect(card?.getAttribute('aria-label')).toBe(`Source ${number}: River ${number}`)
  if (!card) throw new Error('No card is open.')
  return card
}
const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

beforeEach(async () => {
  await page.viewport(1280, 800)
  // Away from whatever the next test shows.
  await userEvent.unhover(document.body)
})

describe('a reader with a mouse', () => {
  it('sees the card of a source after resting on its mark, and not when passing over', async () => {
    await showAnswer()
    await userEvent.hover(mark(2))
    expect(cards()).toEqual([])
    await userEvent.hover(page.getByRole('textbox'))
    await rest(400)
    expect(cards()).toEqual([])
    const began = performance.now()
    await userEvent.hover(mark(2))
    await expect.poll(() => cards().length).toBe(1)
    expect(performance.now() - began).toBeGreaterThanOrEqual(290)
    expect(cardOf(2).textContent).toContain('river-2.example')
  })
})
