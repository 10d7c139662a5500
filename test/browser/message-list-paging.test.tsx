import type { ReactNode } from 'react'
import { StrictMode, useState } from 'react'
import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { MessageList } from '../../src/components/message-list/message-list.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import { createFakeChat } from '../components/fake-chat.ts'
import { painted, rested, thread, until } from './transcript.tsx'

const PAGE = 20
const TURNS = 60

/** A list as an app writes it: pages of a store come when the reader goes up, and the row above tells their state. */
function Paged({ chat }: { readonly chat: FakeChat }): ReactNode {
  const [left, setLeft] = useState(TURNS - PAGE)
  const [loading, setLoading] = useState(false)
  const load = async (): Promise<void> => {
    setLoading(true)
    await painted(2)
    chat.prepend(thread(PAGE, left - PAGE))
    setLeft(left - PAGE)
    setLoading(false)
  }
  return (
    <MessageList
      windowAbove={PAGE * 4}
      onReachStart={left > 0 ? () => void load() : undefined}
      start={<p>{loading ? 'Loading' : `${left} more`}</p>}
    />
  )
}

describe('a reader who goes up page by page until the log is a long one', () => {
  it('comes to the first message, whatever part of the log is mounted by then', async () => {
    const chat = createFakeChat({ messages: thread(PAGE, TURNS - PAGE) })
    const size = (element: HTMLElement | null): void => {
      element?.style.setProperty('width', '800px')
      element?.style.setProperty('height', '600px')
    }
    const { container } = await render(
      <StrictMode>
        <ChatContext.Provider value={chat}>
          <div className="cs-chat" ref={size}>
            <Paged chat={chat} />
          </div>
        </ChatContext.Provider>
      </StrictMode>,
    )
    const view = container.querySelector('.cs-list-view')!
    const above = (): string => view.querySelector('.cs-column > p')?.textContent ?? ''
    for (const more of [20, 0]) {
      // Where older messages came in the middle of a movement, the view is at its very start until that has ended.
      await rested()
      view.scrollTo({ top: 0 })
      await until(() => above() === `${more} more`)
    }
    await until(() => view.querySelector('.cs-spacer') !== null)
    for (let times = 0; times < 3; times++) {
      await rested()
      view.scrollTo({ top: 0 })
    }
    await rested()
    expect(view.querySelector('article')?.textContent).toContain('Question 0:')
  })
})
