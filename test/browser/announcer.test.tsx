import { describe, expect, it } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { Chat } from '../../src/components/chat.tsx'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, connectionAt, said, text } from '../components/fake-chat.ts'
import { listenToLiveRegions } from '../components/live-regions.ts'
import { painted, until } from './transcript.tsx'

const tall = (element: HTMLElement | null): void => element?.style.setProperty('height', '600px')

async function showChat(chat: FakeChat): Promise<HTMLElement> {
  const { container } = await render(
    <div ref={tall}>
      <Chat chat={chat} title="Rivers" />
    </div>,
  )
  return container
}

const streaming = (words = ''): FakeChat =>
  createFakeChat({
    status: 'streaming',
    connection: connectionAt({ phase: 'streaming' }),
    messages: [said('u', 'Why do rivers bend?'), answer('a', [text(words)], { status: 'streaming' })],
  })

describe('a whole chat in a browser', () => {
  it('streams 2,000 tokens past its live regions, and says that it began and ended', async () => {
    const chat = createFakeChat()
    const listener = listenToLiveRegions(await showChat(chat))
    chat.set({ status: 'submitted', messages: [said('u', 'Why?', { status: 'sending' })] })
    await painted()
    let words = ''
    chat.set({
      status: 'streaming',
      connection: connectionAt({ phase: 'streaming' }),
      messages: [said('u', 'Why?'), answer('a', [text(words)], { status: 'streaming' })],
    })
    for (let token = 1; token <= 2000; token += 1) {
      words += `token${token} `
      chat.change('a', { parts: [text(words)] })
      // Several tokens a frame, as on a quick connection.
      if (token % 20 === 0) await painted()
    }
    chat.set({ status: 'ready', messages: [said('u', 'Why?'), answer('a', [text(words)])] })
    await until(() => listener.heard.length > 1)
    expect(page.getByText(/token2000/).elements()).toHaveLength(1)
    expect(listener.heard).toEqual(['Generating a response', 'Response complete'])
    listener.stop()
  })
})

interface AxNode {
  readonly role?: { readonly value?: unknown } | undefined
  readonly name?: { readonly value?: unknown } | undefined
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[] | undefined
}

/** The accessibility tree as the browser hands it to screen readers, of the frame the test runs in. */
async function accessibilityTree(): Promise<readonly AxNode[]> {
  const session = cdp()
  const { frameTree } = await session.send('Page.getFrameTree')
  const frameId = frameTree.childFrames?.[0]?.frame.id
  const { nodes } = await session.send('Accessibility.getFullAXTree', frameId === undefined ? {} : { frameId })
  return nodes
}
const valueOf = (node: AxNode, name: string): unknown =>
  node.properties?.find((property) => property.name === name)?.value.value

describe('what the browser tells screen readers', () => {
  it('is that the log is none to listen to, that an answer is busy, and that two statuses are', async () => {
    await showChat(streaming('Half of'))
    await render(<div role="log" aria-label="Any other log" />)
    const nodes = await accessibilityTree()
    const logs = nodes.filter(({ role }) => role?.value === 'log')
    // The role alone would be read out: an explicit `off` overrides it.
    expect(new Map(logs.map((node) => [node.name?.value, valueOf(node, 'live')]))).toEqual(
      new Map([
        ['Any other log', 'polite'],
        ['Conversation', undefined],
      ]),
    )
    const inside = nodes.filter(({ role }) => role?.value === 'article')
    expect(inside.map((node) => [node.name?.value, Boolean(valueOf(node, 'busy'))])).toEqual([
      ['You', false],
      ['Assistant', true],
    ])
    const voices = nodes.filter(({ role }) => role?.value === 'status').map((node) => valueOf(node, 'live'))
    expect(voices.length).toBeGreaterThanOrEqual(2)
    expect(new Set(voices)).toEqual(new Set(['polite']))
  })
})

describe('someone who is writing while an answer streams', () => {
  it('keeps the keyboard through beginning, drop, return and end', async () => {
    const chat = streaming()
    await showChat(chat)
    const box = page.getByRole('textbox', { name: 'Message', exact: true })
    await box.fill('And lakes')
    const element = box.element()
    const moves: EventTarget[] = []
    document.addEventListener('focusin', ({ target }) => target && target !== element && moves.push(target))
    for (let token = 0; token < 100; token += 1) {
      chat.change('a', { parts: [text('word '.repeat(token))] })
      if (token === 30)
        chat.set({
          connection: connectionAt({ phase: 'waiting', attempt: 1, nextRetryAt: performance.now() + 60_000 }),
        })
      if (token === 60) await expect.element(page.getByRole('button', { name: 'Retry now' })).toBeVisible()
      if (token === 70) chat.set({ connection: connectionAt({ phase: 'streaming' }) })
      if (token % 10 === 0) await painted()
    }
    chat.set({ status: 'ready' })
    chat.change('a', { status: 'complete' })
    await painted(2)
    expect(document.activeElement).toBe(element)
    expect(moves).toEqual([])
  })
})
