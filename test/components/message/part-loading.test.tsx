// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest'
import type { PartComponents } from '../../../src/components/message/part-components.tsx'
import type { MessagePart } from '../../../src/state/turn.ts'

// What a page has: the code of parts is fetched, and `fetchParts` is the network.

const fetchParts = vi.fn<() => Promise<void>>()

const AT_HAND = '../../../src/components/message/parts-at-hand.ts'

const PARTS: readonly MessagePart[] = [
  { type: 'text', id: 'text', text: 'See the gauge.' },
  { type: 'data', id: 'data', data: { flow: 3 }, viewHint: 'KEY_VALUE' },
]

function network(): void {
  vi.doMock(
    '../../../src/components/message/part-components.tsx',
    async (load: () => Promise<{ partComponents: PartComponents }>) => {
      await fetchParts()
      return load()
    },
  )
}

/** The page again, with nothing fetched. */
async function openPage() {
  vi.resetModules()
  vi.doMock(AT_HAND, () => import('../../../src/components/message/parts-at-hand.browser.ts'))
  network()
  // Not bound before: what a test imports itself belongs to another page.
  const { show } = await import('../show.tsx')
  const { answer, createFakeChat } = await import('../fake-chat.ts')
  const { MessageList } = await import('../../../src/components/message-list/message-list.tsx')
  const { act, fireEvent, screen } = await import('@testing-library/react')
  const { loadParts } = await import('../../../src/components/message/part-loading.ts')
  const chat = createFakeChat()
  show(chat, <MessageList />)
  return {
    screen,
    fireEvent,
    say: (parts: readonly MessagePart[]) => act(async () => chat.set({ messages: [answer('a', parts)] })),
    loaded: () => act(loadParts),
  }
}

const offline = (): Promise<void> => Promise.reject(new Error('offline'))

beforeEach(() => {
  fetchParts.mockReset()
})

it('is fetched with the first transcript: a part that comes when the connection is lost is shown at once', async () => {
  fetchParts.mockResolvedValue()
  const { screen, say, loaded } = await openPage()
  await loaded()
  expect(fetchParts).toHaveBeenCalledTimes(1)
  fetchParts.mockImplementation(offline)
  await say(PARTS)
  expect(screen.getByText('flow')).toBeTruthy()
  expect(fetchParts).toHaveBeenCalledTimes(1)
})

it('shows the text at once, and a part that comes before its code as soon as that is here', async () => {
  let give = (): void => {}
  fetchParts.mockReturnValue(new Promise((resolve) => (give = resolve)))
  const { screen, say, loaded } = await openPage()
  await say(PARTS)
  expect(screen.getByText('See the gauge.')).toBeTruthy()
  expect(screen.queryByText('flow')).toBeNull()
  give()
  await loaded()
  expect(screen.getByText('flow')).toBeTruthy()
})

it('that cannot be had is a row in place of each part, which tries again', async () => {
  fetchParts.mockImplementation(offline)
  const { screen, fireEvent, say, loaded } = await openPage()
  await say(PARTS)
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(again.parentElement?.textContent).toBe('Couldn’t display this contentTry again')
  expect(screen.getByText('See the gauge.')).toBeTruthy()
  fetchParts.mockResolvedValue()
  network()
  fireEvent.click(again)
  await loaded()
  expect(screen.getByText('flow')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
