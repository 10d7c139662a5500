// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Message } from '../../../src/components/message/message.tsx'
import { MarkdownProvider } from '../../../src/components/markdown-block/markdown-block.tsx'
import { markdownEngine } from '../../../src/components/markdown-block/rich-text-engine.tsx'
import { mathSyntax } from '../../../src/markdown/math-syntax.ts'
import type { ChatMessage } from '../../../src/state/turn.ts'
import { part } from '../../../stories/support/messages.ts'
import { answer, createFakeChat, said, text } from '../fake-chat.ts'
import { settle, show } from '../show.tsx'

let copied: Record<string, string>

beforeEach(() => {
  copied = {}
  // A page over plain HTTP: the clipboard has no interface of its own.
  Object.defineProperty(document, 'execCommand', {
    configurable: true,
    value: () => {
      const clipboardData = { setData: (type: string, content: string) => (copied[type] = content) }
      return !document.body.dispatchEvent(
        Object.assign(new Event('copy', { bubbles: true, cancelable: true }), { clipboardData }),
      )
    },
  })
})

afterEach(() => {
  Reflect.deleteProperty(document, 'execCommand')
})

async function copy(message: ChatMessage, around = (page: ReactNode): ReactNode => page): Promise<void> {
  show(createFakeChat({ messages: [message] }), around(<Message messageId={message.id} />))
  fireEvent.click(screen.getAllByRole('button', { name: 'Copy' }).at(-1) ?? document.body)
  await settle()
  expect(screen.getAllByRole('button', { name: 'Copied' })).toHaveLength(1)
}

const rich = (page: ReactNode): ReactNode => <MarkdownProvider engine={markdownEngine}>{page}</MarkdownProvider>

describe('CopyAction without navigator.clipboard', () => {
  it('copies an answer as markdown and as HTML, with its sources', async () => {
    const parts = [
      text('They bend.[1]\n\n| a | b |\n|---|---|\n| 1 '),
      part('c', {
        type: 'citations',
        citations: [{ sourceId: 's', title: '*Rivers* & <b>', uri: 'https://rivers.example/a_b_', snippet: '' }],
      }),
      text('| 2 |', 'text-2'),
    ]
    await copy(answer('a', parts), rich)
    expect(copied['text/plain']).toContain('They bend.[1]')
    expect(copied['text/html']).toBe(
      '<p>They bend.[1]</p><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table><p>[1] *Rivers* &amp; &lt;b&gt; <a href="https://rivers.example/a_b_">https://rivers.example/a_b_</a></p>',
    )
  })

  it('reads each document of an answer on its own', async () => {
    const parts = [
      text('```\nopen'),
      part('t', { type: 'tool-call', name: 'x', input: {}, status: 'complete' }),
      text('*then*', 'text-2'),
      part('m', { type: 'markdown', content: '**last**' }),
    ]
    await copy(answer('a', parts), rich)
    expect(copied['text/html']).toBe('<pre><code>open</code></pre><p><em>then</em></p><p><strong>last</strong></p>')
  })

  it('leaves formulas as they are written', async () => {
    const math = { syntax: mathSyntax, Formula: () => null }
    await copy(answer('a', [text('Let $a*b*c$.')]), (page) =>
      rich(<MarkdownProvider renderers={{ math: Object.assign(() => null, math) }}>{page}</MarkdownProvider>),
    )
    expect(copied['text/html']).toBe('<p>Let $a*b*c$.</p>')
  })

  it('copies the message of a user as text alone', async () => {
    await copy(said('u', '*so*'), rich)
    expect(copied).toEqual({ 'text/plain': '*so*' })
  })

  it('copies an answer that is shown as plain text as text alone', async () => {
    await copy(answer('a', [text('*so*')]), (page) => <MarkdownProvider engine="off">{page}</MarkdownProvider>)
    expect(copied).toEqual({ 'text/plain': '*so*' })
  })

  it('copies a block of code as text alone', async () => {
    show(createFakeChat({ messages: [answer('b', [text('```\nlet a\n```')])] }), rich(<Message messageId="b" />))
    fireEvent.click(screen.getAllByRole('button', { name: 'Copy' })[0] ?? document.body)
    await settle()
    expect(copied).toEqual({ 'text/plain': 'let a' })
  })
})
