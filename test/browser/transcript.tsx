import type { ReactElement, ReactNode } from 'react'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import type { MessageListProps } from '../../src/components/message-list/message-list.tsx'
import { MessageList } from '../../src/components/message-list/message-list.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import { type ChatMessage, textOf } from '../../src/state/turn.ts'
import { answer, said, text } from '../components/fake-chat.ts'
import type { FakeChat } from '../components/fake-chat.ts'

/** The next frame has been laid out and painted. */
export async function painted(frames = 1): Promise<void> {
  for (let frame = 0; frame < frames; frame += 1) {
    await new Promise<void>((resolve) => {
      // A message sent in a frame arrives after its layout and paint.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => resolve(), { once: true })
        port1.start()
        port2.postMessage(undefined)
      })
    })
  }
}

/** Waits until the page says so, looking once a frame. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await painted()
}

/** Longer than a scroll takes to count as over, in time and in frames. */
export async function rested(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 250))
  await painted(4)
}

/** A smooth scroll, from its start to its end. */
export async function scrolledSmoothly({ view }: Transcript, by: number): Promise<void> {
  const ended = new Promise((resolve) => view.addEventListener('scrollend', resolve, { once: true }))
  view.scrollBy({ top: by, behavior: 'smooth' })
  await ended
}

/** The next time the page hears that the view has moved. */
export function moved({ view }: Transcript): Promise<unknown> {
  return new Promise((resolve) => view.addEventListener('scroll', resolve, { once: true }))
}

const WORDS =
  'the river wears the outer bank and lays the sand down on the inner one until the neck is cut and a lake is left behind '

/** So many words, always the same ones. */
export const words = (count: number): string =>
  Array.from({ length: count }, (_, at) => WORDS.split(' ')[at % 24]).join(' ')

/** Questions and answers of different lengths, numbered from `from`. */
export function thread(turns: number, from = 0): readonly ChatMessage[] {
  return Array.from({ length: turns }, (_, at) => at + from).flatMap((at) => [
    said(`u-${at}`, `Question ${at}: ${words(5 + ((at * 7) % 30))}`),
    answer(`a-${at}`, [text(`Answer ${at}: ${words(20 + ((at * 37) % 160))}`)]),
  ])
}

export interface Transcript {
  readonly frame: HTMLElement
  readonly view: HTMLElement
  /** How far the view is from its end, in CSS pixels. */
  gap(): number
  has(id: string): boolean
  article(id: string): HTMLElement
  /** Where a message begins, below the upper edge of the view. */
  topOf(id: string): number
  /** The message that begins in view first. */
  reading(): string
  /** The article before the ones in view. */
  above(): HTMLElement
  readonly mounted: number
  /** Rows are left out. */
  readonly windowed: boolean
  /** Shows the list with other props. */
  rerender(props: MessageListProps): Promise<void>
  /** Shows another chat in the same place. */
  switchTo(chat: FakeChat): Promise<void>
}

/** Shows a list in its own box, in a chat whose messages can be told from one another by their words. */
export async function showTranscript(
  chat: FakeChat,
  props: MessageListProps = {},
  { width = 800, height = 600, below }: { width?: number; height?: number; below?: ReactNode } = {},
): Promise<Transcript> {
  const withProps = (props: MessageListProps, shown = chat): ReactElement => (
    <ChatContext.Provider value={shown}>
      <div data-testid="frame" className="cs-chat" style={{ width, height }}>
        <MessageList {...props} />
        {below}
      </div>
    </ChatContext.Provider>
  )
  const screen = await render(withProps(props))
  // Observers of sizes are told in the first frame.
  await painted()
  // Both are `div`s of ours.
  const frame = screen.getByTestId('frame').element() as HTMLElement
  const view = screen.getByRole('region', { name: 'Messages' }).element() as HTMLElement
  const articles = (): HTMLElement[] => [...view.querySelectorAll('article')]
  const find = (id: string): HTMLElement | undefined => {
    const message = chat.getSnapshot().messages.find((known) => known.id === id)
    // One that says nothing yet is the last.
    return message && articles().findLast((element) => element.textContent.includes(textOf(message)))
  }
  const article = (id: string): HTMLElement => {
    const found = find(id)
    if (!found) throw new Error(`Message ${id} is not on the page.`)
    return found
  }
  const edge = (): number => view.getBoundingClientRect().top
  return {
    frame,
    view,
    article,
    gap: () => view.scrollHeight - view.clientHeight - view.scrollTop,
    has: (id) => find(id) !== undefined,
    topOf: (id) => article(id).getBoundingClientRect().top - edge(),
    reading() {
      const shown = articles().find((element) => element.getBoundingClientRect().top > edge())
      const message = chat.getSnapshot().messages.find((known) => shown?.textContent.includes(textOf(known)))
      if (!message) throw new Error('No message begins in view.')
      return message.id
    },
    above() {
      const found = articles().findLast((element) => element.getBoundingClientRect().bottom < edge())
      if (!found) throw new Error('No message is mounted above the view.')
      return found
    },
    get mounted() {
      return articles().length
    },
    get windowed() {
      return view.querySelector('.cs-spacer') !== null
    },
    rerender: (props) => screen.rerender(withProps(props)),
    switchTo: (other) => screen.rerender(withProps(props, other)),
  }
}

/** A reader's scroll, until it counts as over. */
export async function scrollBy({ view }: Transcript, by: number): Promise<void> {
  view.scrollTop += by
  await painted(2)
  await rested()
}
