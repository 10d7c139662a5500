import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { Chat } from '../../src/components/chat.tsx'
import { ConnectionStatus } from '../../src/components/connection-status.tsx'
import { ErrorBanner } from '../../src/components/error-banner.tsx'
import type { HealthStatus } from '../../src/components/health-badge.tsx'
import { HealthBadge } from '../../src/components/health-badge.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { Connection } from '../../src/session/connection.ts'
import type { MessagePart } from '../../src/state/turn.ts'
import { PROMPTS } from '../../stories/support/prompts.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, errorOf, connectionAt, said, text } from '../components/fake-chat.ts'
import { painted, rested, thread } from './transcript.tsx'

async function prefer(name: string, value: string): Promise<void> {
  await cdp().send('Emulation.setEmulatedMedia', { features: [{ name, value }] })
}
beforeEach(async () => {
  await page.viewport(1280, 800)
})
afterEach(async () => {
  await cdp().send('Emulation.setEmulatedMedia', { features: [] })
})

async function showChat(chat: FakeChat): Promise<void> {
  const tall = (element: HTMLElement | null): void => element?.style.setProperty('height', '600px')
  await render(
    <div ref={tall}>
      <Chat chat={chat} title="Rivers" />
    </div>,
  )
  await painted(2)
  // Longer than a drop has to last to be shown.
  await rested()
  await rested()
}

const busy: readonly MessagePart[] = [
  { type: 'progress', id: 'p', label: 'Reading', status: 'running' },
  { type: 'thought', id: 't', text: 'Hm.', status: 'running' },
  text('Half of'),
]
const busyChat = (): FakeChat =>
  createFakeChat({
    status: 'streaming',
    connection: connectionAt({ phase: 'waiting', attempt: 1, nextRetryAt: performance.now() + 60_000 }),
    messages: [...thread(6), said('u', 'Why?'), answer('a', busy, { status: 'streaming' })],
  })
const moving = (): Animation[] => document.getAnimations().filter(({ playState }) => playState === 'running')

describe('someone who wants no motion', () => {
  it('sees a chat at work in which nothing moves', async () => {
    await prefer('prefers-reduced-motion', 'reduce')
    await showChat(busyChat())
    await expect.element(page.getByRole('button', { name: 'Retry now' })).toBeVisible()
    expect(moving()).toEqual([])
    page.getByRole('region', { name: 'Messages' }).element().scrollTop = 0
    await rested()
    await userEvent.click(page.getByRole('button', { name: /Jump to latest/ }))
    expect(moving()).toEqual([])
  })

  it('which for everybody else does', async () => {
    await showChat(busyChat())
    expect(moving().length).toBeGreaterThan(0)
  })
})

describe('someone with their own colours', () => {
  beforeEach(() => prefer('forced-colors', 'active'))

  /** A colour of the system, as the browser computes it. */
  function systemColour(name: string): string {
    const probe = document.createElement('i')
    probe.style.setProperty('color', name)
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }

  it('sees every glyph in the colour of its text', async () => {
    await render(
      <>
        <ErrorBanner error={errorOf({ code: 'unauthorized' })} onSignIn={() => {}} />
        <ErrorBanner error={errorOf({ severity: 'TRANSIENT' })} nextRetryAt={0} />
        <ErrorBanner error={errorOf({ severity: 'WARNING' })} />
      </>,
    )
    const glyphs = [...document.querySelectorAll('.cs-icon')]
    expect(glyphs.length).toBeGreaterThan(2)
    const text = systemColour('CanvasText')
    // A row that opens is a control to the system, and has its colour.
    const controls = new Set([text, systemColour('LinkText'), systemColour('ButtonText')])
    expect(glyphs.map((glyph) => getComputedStyle(glyph).color).filter((colour) => !controls.has(colour))).toEqual([])
  })

  it('sees whose words a prompt has by a header in the colours of a selection', async () => {
    const prompt = PROMPTS.approval
    await showChat(
      createFakeChat({
        status: 'awaiting-input',
        messages: [
          said('u', 'Send it.'),
          answer('a', [{ type: 'prompt', id: prompt.id, prompt }], { status: 'streaming' }),
        ],
      }),
    )
    await expect.element(page.getByRole('region', { name: 'Your approval is needed' })).toBeVisible()
    const header = document.querySelector('.cs-prompt-origin') ?? document.body
    const { backgroundColor, color } = getComputedStyle(header)
    expect([backgroundColor, color]).toEqual([systemColour('Highlight'), systemColour('HighlightText')])
  })

  it('sees an edge where a ground would have shown a failure', async () => {
    await render(<ErrorBanner error={errorOf({ code: 'unauthorized' })} />)
    const { borderTopWidth, borderTopStyle } = getComputedStyle(page.getByRole('alert').element())
    expect([borderTopWidth, borderTopStyle]).toEqual(['1px', 'solid'])
  })
})

describe('someone who sees no colours', () => {
  /** The mark before the word of a pill: filled or a ring, round or square. */
  function shapeOf(pill: Element): string {
    const { backgroundColor, boxShadow, borderTopLeftRadius } = getComputedStyle(pill, '::before')
    const thickness = /(\S+)px inset|inset 0px 0px 0px (\S+)px/.exec(boxShadow)
    const ring = boxShadow === 'none' ? '' : ` ${thickness?.[1] ?? thickness?.[2] ?? boxShadow}`
    return `${backgroundColor === 'rgba(0, 0, 0, 0)' ? `ring${ring}` : 'filled'} ${borderTopLeftRadius === '1px' ? 'square' : 'round'}`
  }
  const pill = (): Element => document.querySelector('.cs-pill') as Element

  it('tells the states of the connection by shape and word', async () => {
    const states: readonly Partial<Connection>[] = [
      { phase: 'streaming' },
      { phase: 'waiting', attempt: 1 },
      { phase: 'offline' },
      { phase: 'failed', attempt: 3 },
    ]
    const shapes: string[] = []
    const words: string[] = []
    const chat = createFakeChat()
    await render(
      <ChatContext.Provider value={chat}>
        <ConnectionStatus />
      </ChatContext.Provider>,
    )
    for (const state of states) {
      chat.set({ connection: connectionAt(state) })
      await rested()
      await rested()
      shapes.push(shapeOf(pill()))
      words.push(pill().textContent)
    }
    expect(words).toEqual(['Connected', 'Reconnecting, 1 of 3', 'Offline', 'Disconnected'])
    expect(new Set(shapes).size).toBe(4)
    expect(shapes.at(-1)).toBe('filled square')
  })

  it('reads the health of an agent in words', async () => {
    const all: readonly HealthStatus[] = ['ok', 'degraded', 'maintenance', 'unknown']
    await render(all.map((status) => <HealthBadge key={status} status={status} />))
    expect([...document.querySelectorAll('.cs-pill')].map((badge) => badge.textContent)).toEqual([
      'Operational',
      'Degraded',
      'Maintenance',
      'Unknown',
    ])
  })
})

describe('someone who finds their way by the focus', () => {
  it('sees a ring of two pixels around every control they reach', async () => {
    const gone = errorOf({ code: 'http_error', status: 500 })
    await showChat(
      createFakeChat({
        status: 'error',
        error: gone,
        messages: [said('u', 'Why?'), answer('a', [text('Half')], { status: 'failed', error: gone })],
      }),
    )
    const bare: string[] = []
    let stops = 0
    await userEvent.keyboard('{Tab}')
    while (document.activeElement?.closest('.cs-chat') && stops < 30) {
      const element = document.activeElement
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      // In the box the caret shows where one is, and its edge darkens.
      if (!element.matches('textarea') && (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2))
        bare.push(element.outerHTML)
      stops += 1
      await userEvent.keyboard('{Tab}')
    }
    expect(stops).toBeGreaterThan(6)
    expect(bare).toEqual([])
  })
})
