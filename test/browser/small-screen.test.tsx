import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import type { ChatProps } from '../../src/components/chat.tsx'
import { Chat } from '../../src/components/chat.tsx'
import type { ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import type { MessagePart } from '../../src/state/turn.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, errorOf, connectionAt, said, text } from '../components/fake-chat.ts'
import { painted } from './transcript.tsx'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const everything: readonly MessagePart[] = [
  { type: 'thought', id: 't', text: `Looking at ${LONG}.`, status: 'complete' },
  {
    type: 'progress',
    id: 'p',
    label: 'Reading the gauges of the upper and the lower reach',
    status: 'running',
    fraction: 0.62,
  },
  {
    type: 'tool-call',
    id: 'tc',
    name: 'estimate_bends',
    status: 'complete',
    input: { reach: LONG },
    output: [1, 2, 3],
  },
  text(
    `No bank is perfectly even.[1] See ${LONG} and https://rivers.example/a/very/long/path/without/any/break/in/it?and=${LONG}`,
  ),
  { type: 'gap', id: 'g', after: 3, before: 7 },
  text(' which fits the short wavelength there.', 'text-2'),
  {
    type: 'data',
    id: 'd',
    viewHint: 'TABLE',
    data: Array.from({ length: 3 }, (_, row) => ({
      reach: row,
      wavelength: 113.4,
      amplitude: 47.1,
      neck: 8.25,
      remark: LONG,
    })),
  },
  { type: 'artifact', id: 'a', artifactId: LONG, mimeType: 'image/svg+xml', url: 'https://files.example/reach-14.svg' },
  {
    type: 'notice',
    id: 'n',
    message: `That file is over 10 MB: ${LONG}.pdf`,
    code: 'too_large',
    domain: 'client',
    retryable: true,
  },
  {
    type: 'warning',
    id: 'w',
    error: errorOf({
      severity: 'WARNING',
      agentCode: 'stale_source',
      message: `Elevation data is from 2019 (${LONG}).`,
    }),
  },
  { type: 'unknown', id: 'x', name: `MAP_OVERLAY_${LONG}`, raw: { layer: LONG } },
  {
    type: 'media',
    id: 'm',
    items: [
      { url: 'https://pictures.example/a.png', mimeType: 'image/png', alt: 'A bend' },
      { url: 'https://pictures.example/b.png', mimeType: 'image/png', alt: 'A lake' },
    ],
  },
  {
    type: 'citations',
    id: 'c',
    citations: [
      {
        sourceId: 's',
        uri: `https://rivers.example/${LONG}`,
        title: `Bends of the ${LONG}`,
        snippet: 'So it bends.',
        confidence: 0.84,
      },
    ],
  },
]
const gone = errorOf({ code: 'http_error', status: 500, message: 'The agent answered with HTTP status 500.' })
const lost = errorOf({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT', message: 'Failed to fetch' })
const question = said('u', `Why does the ${LONG} bend?`)

const STATES: readonly [name: string, snapshot: () => Partial<ChatSnapshot>, props?: ChatProps][] = [
  [
    'empty, with suggestions',
    () => ({}),
    {
      suggestions: ['Explain why rivers meander', 'Estimate bends from a gauge file with thirty-one gauges'],
      emptyTitle: 'What should we look at?',
    },
  ],
  [
    'answering with every kind of part',
    () => ({
      status: 'streaming',
      connection: connectionAt({ phase: 'streaming' }),
      messages: [question, answer('a', everything, { status: 'streaming' })],
    }),
  ],
  [
    'answering from right to left',
    () => ({
      status: 'streaming',
      connection: connectionAt({ phase: 'streaming' }),
      messages: [question, answer('a', everything, { status: 'streaming' })],
    }),
    { dir: 'rtl' },
  ],
  ['at the end of such an answer', () => ({ messages: [question, answer('a', everything)] })],
  [
    'reconnecting',
    () => ({
      status: 'streaming',
      connection: connectionAt({ phase: 'waiting', attempt: 1, nextRetryAt: performance.now() + 60_000, error: lost }),
      messages: [question, answer('a', [text('Half of')], { status: 'streaming' })],
    }),
  ],
  [
    'reconnecting before a word came',
    () => ({
      status: 'submitted',
      connection: connectionAt({ phase: 'waiting', attempt: 1, nextRetryAt: performance.now() + 60_000, error: lost }),
      messages: [question],
    }),
  ],
  [
    'failed',
    () => ({
      status: 'error',
      error: gone,
      connection: connectionAt({ phase: 'failed', attempt: 3, error: gone }),
      messages: [question, answer('a', [text('Half of')], { status: 'failed', error: gone })],
    }),
  ],
  [
    'with a message that was not sent',
    () => ({
      status: 'error',
      error: gone,
      messages: [said('u', `Why does the ${LONG} bend?`, { status: 'not-sent', error: gone })],
    }),
  ],
]

async function showChat(snapshot: Partial<ChatSnapshot>, props: ChatProps = {}): Promise<FakeChat> {
  const chat = createFakeChat(snapshot)
  const whole = (element: HTMLElement | null): void => {
    element?.style.setProperty('position', 'fixed')
    element?.style.setProperty('inset', '0')
  }
  await render(
    <div ref={whole}>
      <Chat chat={chat} title={`River desk ${LONG}`} {...props} />
    </div>,
  )
  // Longer than a drop has to last to be shown.
  await new Promise((resolve) => setTimeout(resolve, 450))
  await painted(2)
  return chat
}

const frame = (): HTMLElement => document.querySelector<HTMLElement>('.cs-chat') as HTMLElement
const nameOf = (element: Element): string =>
  `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} “${element.textContent.slice(0, 40)}”`

/** Boxes that scroll by themselves, or that cut a line with an ellipsis on purpose, hold more than they show. */
function mayHoldMore(element: Element): boolean {
  const { overflowX, textOverflow } = getComputedStyle(element)
  return overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis'
}

/** What is out of the chat to the side, or is cut off in a box that does not scroll. */
function lostToTheSide(): string[] {
  const { left, right } = frame().getBoundingClientRect()
  const faults: string[] = []
  for (const element of frame().querySelectorAll('*')) {
    if (element.closest('.cs-hidden, svg, [popover]:not(:popover-open), details:not([open]) > :not(summary)')) continue
    const box = element.getBoundingClientRect()
    if (box.width === 0) continue
    let holder: Element | null = element.parentElement
    while (holder && holder !== frame() && !mayHoldMore(holder)) holder = holder.parentElement
    // The transcript scrolls, but only up and down.
    const held = holder !== null && holder !== frame() && !holder.matches('.cs-list-view')
    if (!held && (box.left < left - 1 || box.right > right + 1)) faults.push(`is out: ${nameOf(element)}`)
    const { overflowX } = getComputedStyle(element)
    if (
      (overflowX === 'hidden' || overflowX === 'clip') &&
      !mayHoldMore(element) &&
      element.scrollWidth > element.clientWidth + 1
    )
      faults.push(`cut off: ${nameOf(element)}`)
  }
  return faults
}

function isInView(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect()
  return top >= 0 && left >= 0 && bottom <= innerHeight + 0.5 && right <= innerWidth + 0.5
}

const SCREENS: readonly [name: string, width: number, height: number, scale: number][] = [
  ['320 pixels wide', 320, 568, 1],
  // What is left of 1280 × 1024: the same 320, and little height.
  ['zoomed to 400 %', 320, 256, 4],
]

describe.each(SCREENS)('a chat %s', (_, width, height, scale) => {
  beforeEach(async () => {
    await cdp().send('Emulation.setDeviceMetricsOverride', {
      width: 0,
      height: 0,
      deviceScaleFactor: scale,
      mobile: false,
    })
    await page.viewport(width, height)
    expect([innerWidth, innerHeight, devicePixelRatio]).toEqual([width, height, scale])
  })
  afterEach(async () => {
    await cdp().send('Emulation.clearDeviceMetricsOverride')
    await page.viewport(1280, 800)
  })

  it.each(STATES)('%s: nothing to scroll sideways, nothing cut off', async (_name, snapshot, props) => {
    await showChat(snapshot(), props)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    expect(lostToTheSide()).toEqual([])
  })

  it.each(STATES)('%s: the composer can be used', async (_name, snapshot, props) => {
    const chat = await showChat(snapshot(), props)
    const box = page.getByRole('textbox', { name: 'Message', exact: true })
    await userEvent.click(box)
    await userEvent.keyboard('And lakes?')
    await painted(2)
    expect(isInView(box.element())).toBe(true)
    const send = page.getByRole('button', { name: /^(Send|Stop)$/ })
    send.element().scrollIntoView({ block: 'nearest' })
    expect(isInView(send.element())).toBe(true)
    await userEvent.keyboard('{Enter}')
    expect(chat.used.map(([action]) => action)).toContain('sendMessage')
  })

  it.each(STATES)('%s: the transcript can be read', async (_name, snapshot, props) => {
    await showChat(snapshot(), props)
    const view = page.getByRole('region', { name: 'Messages' }).element()
    view.scrollIntoView({ block: 'nearest' })
    // Half of a page zoomed to 400 %.
    expect(view.clientHeight).toBeGreaterThanOrEqual(128)
    expect(isInView(view)).toBe(true)
  })

  it.each(STATES)(
    '%s: bar and dock leave half of the height of a zoomed page, without scrolling',
    async (_name, snapshot, props) => {
      await showChat(snapshot(), props)
      const view = page.getByRole('region', { name: 'Messages' }).element()
      const { top, bottom } = view.getBoundingClientRect()
      expect(Math.min(bottom, height) - Math.max(top, 0)).toBeGreaterThanOrEqual(128)
      // What is below it is in view as well, the box to write in first of all.
      expect(isInView(page.getByRole('textbox', { name: 'Message', exact: true }).element())).toBe(true)
    },
  )

  it.each(STATES)('%s: axe finds nothing', async (_name, snapshot, props) => {
    await showChat(snapshot(), props)
    const { violations } = await axe.run(frame())
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
    ).toEqual([])
  })
})
