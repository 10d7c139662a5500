// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { groupParts, lastGroups } from '../../../src/components/message/group-parts.ts'
import { Message } from '../../../src/components/message/message.tsx'
import { MessageList } from '../../../src/components/message-list/message-list.tsx'
import type { MessagePart } from '../../../src/state/turn.ts'
import type { FakeChat } from '../fake-chat.ts'
import { answer, createFakeChat, errorOf, said, text } from '../fake-chat.ts'
import { show } from '../show.tsx'

// Without HTML beside the text, which is loaded behind the engine: sooner or later than a test copies.
vi.mock('../../../src/components/markdown-block/to-html.ts', () => ({ toHtml: () => undefined }))

const MANY = 1000

const many = (make: (at: number) => MessagePart): readonly MessagePart[] =>
  Array.from({ length: MANY }, (_, at) => make(at))
const count = (selector: string): number => document.querySelectorAll(selector).length
const pressMore = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Show more' }))

function shown(parts: readonly MessagePart[]): FakeChat {
  const chat = createFakeChat({ messages: [answer('a', parts)] })
  show(chat, <Message messageId="a" />)
  return chat
}

const warning = (at: number): MessagePart => ({
  type: 'warning',
  id: `w-${at}`,
  error: errorOf({ severity: 'WARNING', message: `Warning ${at}.`, agentCode: `w${at}` }),
})

describe('an answer of very many parts', () => {
  it('shows the last ones, says how many it does not show, and shows more on request', () => {
    shown(many(warning))
    expect(count('.cs-note')).toBe(60)
    expect(screen.getByText('Warning 999.')).toBeTruthy()
    expect(screen.getByText(/940 more not shown/)).toBeTruthy()
    pressMore()
    expect(count('.cs-note')).toBe(120)
    expect(screen.getByText(/880 more not shown/)).toBeTruthy()
  })

  it('shows all of one that has no more than can be read', () => {
    shown(many(warning).slice(0, 79))
    expect(count('.cs-note')).toBe(79)
    expect(screen.queryByRole('button', { name: 'Show more' })).toBe(null)
  })

  it('seldom moves what is shown when another part comes', () => {
    const parts = many(warning)
    const firsts = Array.from(
      { length: 200 },
      (_, at) => lastGroups(groupParts(parts.slice(0, 500 + at)), 60).shown[0]?.id,
    )
    expect(new Set(firsts).size).toBe(10)
  })

  it('continues with a text of many gaps in another one, and shows the last of them', () => {
    const parts = many((at) =>
      at % 2 === 0 ? text(`w${at} `, `t-${at}`) : { type: 'gap', id: `g-${at}`, after: at, before: at + 2 },
    )
    shown(parts)
    expect(count('.cs-gap')).toBeLessThanOrEqual(104)
    expect(screen.getByText(/w998/)).toBeTruthy()
    expect(
      groupParts(parts).map(
        (group) => group.type === 'flow' && group.parts.filter(({ type }) => type === 'gap').length,
      ),
    ).toEqual([...Array.from({ length: 9 }, () => 52), 32])
  })

  it('shows the last of its thoughts', () => {
    shown(many((at) => ({ type: 'thought', id: `t-${at}`, text: `Thought ${at}.` })))
    expect(count('.cs-thought-text .cs-text')).toBe(60)
    pressMore()
    expect(count('.cs-thought-text .cs-text')).toBe(120)
    expect(screen.getByText('Thought 999.')).toBeTruthy()
  })

  it('shows some of its earlier steps when they are asked for, and more on request', () => {
    shown(many((at) => ({ type: 'progress', id: `p-${at}`, label: `Step ${at}`, status: 'complete' })))
    expect(count('.cs-step-label')).toBe(8)
    const fold = document.querySelector<HTMLDetailsElement>('.cs-step-fold')
    if (!fold) throw new Error('There is no fold.')
    fold.open = true
    fireEvent(fold, new Event('toggle'))
    expect(count('.cs-step-label')).toBe(60)
    pressMore()
    expect(count('.cs-step-label')).toBe(120)
  })

  it('shows some of its media and of its sources, and more on request', () => {
    const items = Array.from({ length: MANY }, (_, at) => ({
      url: `https://a.test/${at}.png`,
      mimeType: 'image/png',
      alt: `Picture ${at}`,
    }))
    const citations = Array.from({ length: MANY }, (_, at) => ({
      sourceId: `s${at}`,
      uri: `https://a.test/${at}`,
      title: `Source ${at}`,
    }))
    shown([
      { type: 'media', id: 'm', items },
      { type: 'citations', id: 'c', citations },
    ])
    expect(count('figure')).toBe(50)
    expect(count('.cs-source-panel .cs-source-item')).toBe(60)
    pressMore()
    expect(count('figure')).toBe(110)
  })
})

it('mounts the newest of very many messages that come at once', () => {
  const chat = createFakeChat({ messages: [said('u', 'Why?')] })
  show(chat, <MessageList />)
  act(() =>
    chat.set({
      messages: [
        said('u', 'Why?'),
        ...Array.from({ length: MANY }, (_, at) => answer(`a-${at}`, [text(`Answer ${at}`)])),
      ],
    }),
  )
  expect(count('.cs-row')).toBe(30)
  expect(screen.getByText('Answer 999')).toBeTruthy()
})

it('makes no format of its own for the time of each message', () => {
  const made = vi.spyOn(Date.prototype, 'toLocaleTimeString')
  const messages = Array.from({ length: 50 }, (_, at) => answer(`a-${at}`, [text('Yes.')], { endedAt: 1000 * at }))
  show(createFakeChat({ messages }), <MessageList />)
  expect(count('time')).toBe(50)
  expect(document.querySelector('time')?.textContent).toMatch(/\d/)
  expect(made).not.toHaveBeenCalled()
  made.mockRestore()
})

describe('a row of combining marks', () => {
  const TALL = `Z${'\u0301\u0302\u0303'.repeat(40)}`
  const CAPPED = 'Z\u0301\u0302\u0303\u0301\u0302\u0303\u0301\u0302'

  it('is capped in text, code, names and labels', () => {
    shown([
      text(
        `${TALL} and \`${TALL}\` and <b${TALL}>\n\n\`\`\`\n${TALL}\n\`\`\`\n\n[${TALL}](https://a.test) ![${TALL}](https://a.test/a.png)`,
      ),
      { type: 'thought', id: 't', text: TALL },
      { type: 'progress', id: 'p', label: TALL, status: 'running', detail: TALL },
      { type: 'tool-call', id: 'c', name: TALL, input: { [TALL]: TALL }, status: 'running' },
      { type: 'notice', id: 'n', message: TALL },
      { type: 'unknown', id: 'u', name: TALL, raw: TALL },
      { type: 'data', id: 'd', data: { [TALL]: TALL }, viewHint: 'KEY_VALUE' },
      { type: 'artifact', id: 'a', artifactId: TALL },
      { type: 'media', id: 'm', items: [{ url: 'https://a.test/b.png', mimeType: 'image/png', alt: TALL }] },
      { type: 'citations', id: 's', citations: [{ sourceId: 's', uri: 'https://a.test', title: TALL, snippet: TALL }] },
      {
        type: 'warning',
        id: 'w',
        error: errorOf({ kind: 'runtime', code: 'agent_error', severity: 'WARNING', message: TALL, agentCode: TALL }),
      },
    ])
    const page = document.body.textContent
    expect(page.match(/Z\p{M}+/gu)?.length).toBeGreaterThan(15)
    for (const row of page.match(/Z\p{M}+/gu) ?? []) expect(row).toBe(CAPPED)
  })

  it('is copied as the agent wrote it', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    shown([text(`${TALL}\n\n\`\`\`\n${TALL}\n\`\`\``)])
    for (const button of screen.getAllByRole('button', { name: 'Copy' })) await act(async () => fireEvent.click(button))
    expect(writeText.mock.calls).toEqual([[TALL], [`${TALL}\n\n\`\`\`\n${TALL}\n\`\`\``]])
    Reflect.deleteProperty(navigator, 'clipboard')
  })
})
