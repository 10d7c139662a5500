// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Composer } from '../../../src/components/composer/composer.tsx'
import { MarkdownProvider } from '../../../src/components/markdown-block/markdown-block.tsx'
import { Message } from '../../../src/components/message/message.tsx'
import type { PromptState } from '../../../src/seam/prompt.ts'
import type { MessagePart } from '../../../src/state/turn.ts'
import type { ChatStatus } from '../../../src/state/chat-snapshot.ts'
import { promptOf } from '../../support/prompts.ts'
import { answer, createFakeChat, errorOf, connectionAt, said, text } from '../fake-chat.ts'
import { pass, settle, show } from '../show.tsx'

const network = errorOf({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT' })
const prose = (): Element => screen.getByRole('article').querySelector('.cs-prose')!

describe('what the user said', () => {
  it('says that it is on its way', () => {
    show(createFakeChat({ messages: [said('u', 'Hello', { status: 'sending' })] }), <Message messageId="u" />)
    const message = screen.getByRole('article', { name: 'You' })
    expect(message.textContent).toBe('HelloSending')
    expect(message.dataset['status']).toBe('sending')
  })

  it('that was not sent can be sent again', () => {
    const chat = createFakeChat({ messages: [said('u', 'Hello', { status: 'not-sent' })] })
    show(chat, <Message messageId="u" />)
    expect(screen.getByText('Not sent')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(chat.used).toEqual([['retry', 'u']])
  })

  it('that was not sent goes back into the box to be edited, before what is there', () => {
    const chat = createFakeChat({ messages: [said('u', 'Hello', { status: 'not-sent' })] })
    show(
      chat,
      <>
        <Message messageId="u" />
        <Composer />
      </>,
    )
    const box = screen.getByRole<HTMLTextAreaElement>('textbox')
    fireEvent.change(box, { target: { value: 'and this' } })
    fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
    expect(chat.used).toEqual([['discard', 'u']])
    expect(box.value).toBe('Hello\n\nand this')
    expect(document.activeElement).toBe(box)
    expect(screen.queryByRole('article')).toBeNull()
  })

  it('that may have arrived is not called unsent, and is sent again or discarded as the user decides', () => {
    const error = errorOf({ kind: 'connection', code: 'delivery_unknown' })
    const chat = createFakeChat({ messages: [said('u', 'Hello', { status: 'not-sent', error })] })
    show(chat, <Message messageId="u" />)
    expect(screen.getByText('May have arrived')).toBeTruthy()
    expect(screen.queryByText('Not sent')).toBeNull()
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Send again', 'Discard'])
    fireEvent.click(screen.getByRole('button', { name: 'Send again' }))
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(chat.used).toEqual([
      ['retry', 'u'],
      ['discard', 'u'],
    ])
  })

  it('that was not sent can be discarded', () => {
    const chat = createFakeChat({ messages: [said('u', 'Hello', { status: 'not-sent' })] })
    show(chat, <Message messageId="u" />)
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(chat.used).toEqual([['discard', 'u']])
    expect(screen.queryByRole('article')).toBeNull()
  })
})

describe('an answer that comes in', () => {
  it.each<[PromptState, ChatStatus, boolean]>([
    ['open', 'awaiting-input', false],
    ['unconfirmed', 'awaiting-input', false],
    ['sending', 'streaming', true],
    ['answered', 'streaming', true],
  ])('behind a prompt in the state %s (%s) shows dots: %s, and no caret before it', (state, status, dots) => {
    const prompt: MessagePart = { type: 'prompt', id: 'p1', prompt: promptOf({ state }) }
    const chat = createFakeChat({
      status,
      messages: [answer('a', [text('t', 'I ask first.'), prompt], { status: 'streaming' })],
    })
    show(chat, <Message messageId="a" />)
    expect(prose().querySelector('.cs-caret')).toBeNull()
    expect(document.querySelector('.cs-dots') !== null).toBe(dots)
  })

  it('shows dots until something is there, then its text and a caret, and is busy all along', () => {
    const chat = createFakeChat({ status: 'submitted', messages: [answer('a', [], { status: 'pending' })] })
    show(chat, <Message messageId="a" />)
    const message = screen.getByRole('article', { name: 'Assistant' })
    expect(screen.getByRole('img', { name: 'Waiting for a response' })).toBeTruthy()
    expect(message.getAttribute('aria-busy')).toBe('true')
    act(() => chat.change('a', { status: 'streaming', parts: [text('Rivers ')] }))
    expect(screen.queryByRole('img')).toBeNull()
    expect(prose().textContent).toBe('Rivers')
    expect(prose().querySelector('.cs-caret')).toBeTruthy()
    act(() => chat.change('a', { status: 'complete' }))
    expect(prose().querySelector('.cs-caret')).toBeNull()
    expect(message.hasAttribute('aria-busy')).toBe(false)
  })

  it('keeps every character of the text where no markdown is wanted, marks and line breaks too', () => {
    const words = 'One.[1]\n\nTwo [2, 1] and [9], a[0] <b>not bold</b>\u202Eevil'
    const citations: MessagePart = {
      type: 'citations',
      id: 'c',
      citations: [
        { sourceId: 'a', uri: 'https://a.example', title: 'A' },
        { sourceId: 'b', uri: 'https://b.example', title: 'B' },
      ],
    }
    show(
      createFakeChat({ messages: [answer('a', [text(words), citations])] }),
      <MarkdownProvider engine="off">
        <Message messageId="a" />
      </MarkdownProvider>,
    )
    expect(prose().textContent).toBe(words)
    expect(
      within(prose() as HTMLElement)
        .getAllByRole('button')
        .map((mark) => mark.textContent),
    ).toEqual(['1', '2', '1'])
    expect(prose().querySelector('b')).toBeNull()
    expect(prose().getAttribute('dir')).toBe('auto')
  })

  it('puts the thoughts and the steps of one spell of work into one fold and one card', () => {
    const parts: MessagePart[] = [
      { type: 'thought', id: 't1', text: 'First.' },
      { type: 'progress', id: 'p1', label: 'Reading', status: 'complete' },
      { type: 'thought', id: 't2', text: 'Second.' },
      { type: 'progress', id: 'p2', label: 'Counting', status: 'running', fraction: 0.5 },
      text('Words.'),
      { type: 'progress', id: 'p3', label: 'Drawing', status: 'running' },
    ]
    show(createFakeChat({ messages: [answer('a', parts, { status: 'streaming' })] }), <Message messageId="a" />)
    const message = screen.getByRole('article')
    expect(message.querySelectorAll('details')).toHaveLength(1)
    expect(message.querySelector('details')?.textContent).toContain('First.Second.')
    const lists = within(message).getAllByRole('list', { name: 'Progress' })
    expect(lists.map((list) => within(list).getAllByRole('listitem').length)).toEqual([2, 1])
  })

  it('updates a step in its place', () => {
    const step = (fraction: number): MessagePart => ({
      type: 'progress',
      id: 'p',
      label: 'Reading',
      status: 'running',
      fraction,
    })
    const chat = createFakeChat({ messages: [answer('a', [step(0.2)], { status: 'streaming' })] })
    show(chat, <Message messageId="a" />)
    const row = screen.getByRole('listitem')
    act(() => chat.change('a', { parts: [step(0.62)] }))
    expect(screen.getByRole('listitem')).toBe(row)
    expect(row.textContent).toBe('Reading62%')
    expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Reading' }).value).toBe(0.62)
  })

  it('marks a gap where it is, between the words around it', () => {
    const parts: MessagePart[] = [
      text('before '),
      { type: 'gap', id: 'g', after: 3, before: 7 },
      text(' after', 'text-2'),
    ]
    show(createFakeChat({ messages: [answer('a', parts)] }), <Message messageId="a" />)
    const mark = screen.getByRole('button', { name: 'Part of the response is missing' })
    expect(prose().textContent).toBe('before Part of the response is missing after')
    fireEvent.click(mark)
    expect(mark.textContent).toBe('Part of the response is missing, packets 4–6')
  })
})

describe('while the connection is down', () => {
  it('does not say that it reconnects where there was no connection yet', () => {
    vi.useFakeTimers()
    try {
      const connection = connectionAt({
        phase: 'waiting',
        attempt: 1,
        hasOpened: false,
        nextRetryAt: performance.now() + 5_400,
        error: network,
      })
      show(
        createFakeChat({ status: 'submitted', connection, messages: [answer('a', [], { status: 'pending' })] }),
        <Message messageId="a" />,
      )
      pass(400)
      expect(screen.getByText(/^No connection yet, trying again in [45] s$/).getAttribute('aria-hidden')).toBe('true')
      expect(screen.queryByText(/Reconnecting/)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it('says where it happened when it will be tried again, and lets people hurry', () => {
    vi.useFakeTimers()
    try {
      const chat = createFakeChat({
        status: 'streaming',
        messages: [answer('a', [text('Half of')], { status: 'streaming' })],
      })
      show(chat, <Message messageId="a" />)
      act(() =>
        chat.set({
          connection: connectionAt({
            phase: 'waiting',
            attempt: 1,
            nextRetryAt: performance.now() + 5_400,
            error: network,
          }),
        }),
      )
      expect(screen.queryByRole('button', { name: 'Retry now' })).toBeNull()
      pass(400)
      expect(screen.getByText(/^Reconnecting in [45] s$/).getAttribute('aria-hidden')).toBe('true')
      fireEvent.click(screen.getByRole('button', { name: 'Retry now' }))
      expect(chat.used).toEqual([['retry']])
      act(() => chat.set({ connection: connectionAt({ phase: 'streaming' }) }))
      expect(screen.queryByText(/Reconnecting/)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it('says that it waits for the network', () => {
    const chat = createFakeChat({
      status: 'streaming',
      connection: connectionAt({ phase: 'offline' }),
      messages: [answer('a', [], { status: 'pending' })],
    })
    show(chat, <Message messageId="a" />)
    expect(screen.getByText('You’re offline. The response will continue when you reconnect.')).toBeTruthy()
  })
})

describe('a run that was left', () => {
  it('says so and can be resumed', () => {
    const chat = createFakeChat({
      connection: connectionAt({ phase: 'paused' }),
      messages: [answer('a', [text('Half of')], { status: 'streaming' })],
    })
    show(chat, <Message messageId="a" />)
    fireEvent.click(screen.getByRole('button', { name: 'Resume' }))
    expect(chat.used).toEqual([['resume']])
  })
})

describe('how an answer ends', () => {
  const ended = (change: Parameters<typeof answer>[2], parts = [text('Half of')]) => {
    const chat = createFakeChat({ messages: [answer('a', parts, change)] })
    show(chat, <Message messageId="a" />)
    return chat
  }

  it('incomplete: the text stays, Continue takes it up again', () => {
    const chat = ended({
      status: 'incomplete',
      error: errorOf({ kind: 'connection', code: 'truncated', severity: 'TRANSIENT' }),
    })
    expect(screen.getByText('Incomplete').parentElement?.textContent).toContain('The connection was lost.')
    expect(prose().textContent).toBe('Half of')
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(chat.used).toEqual([['retry', 'a']])
  })

  it('incomplete after every attempt failed: it says how many there were', () => {
    const chat = createFakeChat({
      messages: [answer('a', [text('Half of')], { status: 'incomplete', error: network })],
      connection: connectionAt({ phase: 'failed', attempt: 3, requests: 3, error: network }),
    })
    show(chat, <Message messageId="a" />)
    expect(screen.getByText('Couldn’t reach the assistant after 3 attempts.')).toBeTruthy()
  })

  it.each([
    ['http_error', 'The server had a problem.'],
    ['rate_limited', 'Too many requests.'],
    ['agent_error', 'The assistant reported a problem.'],
    ['timeout', 'The response timed out.'],
  ] as const)('incomplete for another reason than the connection: %s', (code, words) => {
    ended({ status: 'incomplete', error: errorOf({ code, severity: 'TRANSIENT' }) })
    expect(screen.getByText('Incomplete').parentElement?.textContent).toContain(words)
    expect(screen.queryByText('The connection was lost.')).toBeNull()
  })

  it('incomplete before anything was shown: no response', () => {
    ended({ status: 'incomplete', error: errorOf({ code: 'http_error', severity: 'TRANSIENT' }) }, [])
    expect(screen.getByText('No response').parentElement?.textContent).toContain('The server had a problem.')
  })

  it('stopped by the user', () => {
    const chat = ended({ status: 'stopped' })
    fireEvent.click(
      within(screen.getByText('You stopped this response').parentElement!).getByRole('button', { name: 'Regenerate' }),
    )
    expect(chat.used).toEqual([['regenerate', 'a']])
  })

  it('broken off: with the agent’s code in the details, and another try', () => {
    const chat = ended({ status: 'failed', error: errorOf({ agentCode: 'upstream_timeout' }) })
    expect(screen.getByText('The response was interrupted').parentElement?.textContent).toContain('upstream_timeout')
    expect(screen.getByText('upstream_timeout').closest('details')).not.toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(chat.used).toEqual([['retry', 'a']])
  })

  it('failed before it began', () => {
    ended({ status: 'failed', error: errorOf() }, [])
    expect(screen.getByText('No response')).toBeTruthy()
  })

  it('restarted: said above the new text', () => {
    ended({ status: 'complete', restarted: true })
    expect(screen.getByRole('article').textContent).toMatch(/^Restarted.*Half of/)
  })

  it('complete: nothing is said', () => {
    ended({ status: 'complete' })
    expect(document.querySelector('.cs-status-row')).toBeNull()
  })
})

describe('what can be done with an answer', () => {
  it('copies the text and says so for two seconds', async () => {
    vi.useFakeTimers()
    try {
      const writeText = vi.fn(() => Promise.resolve())
      vi.stubGlobal('navigator', { clipboard: { writeText } })
      const parts: MessagePart[] = [text('One'), { type: 'markdown', id: 'm', content: '**Two**' }]
      // Without the engine there is not HTML next to the text, whatever has been loaded.
      show(
        createFakeChat({ messages: [answer('a', parts)] }),
        <MarkdownProvider engine="off">
          <Message messageId="a" />
        </MarkdownProvider>,
      )
      fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
      await settle()
      expect(writeText).toHaveBeenCalledWith('One\n\n**Two**')
      expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy()
      pass(2000)
      expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy()
    } finally {
      vi.unstubAllGlobals()
      vi.useRealTimers()
    }
  })

  it('says when nothing could be copied', async () => {
    vi.stubGlobal('navigator', {})
    show(createFakeChat({ messages: [answer('a', [text('One')])] }), <Message messageId="a" />)
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
    await settle()
    expect(screen.getByRole('button', { name: 'Couldn’t copy' })).toBeTruthy()
    vi.unstubAllGlobals()
  })

  it('only the last answer can be asked for again, and only when it has ended', () => {
    const chat = createFakeChat({
      messages: [answer('a', [text('One')]), answer('b', [text('Two')], { status: 'streaming' })],
    })
    show(
      chat,
      <>
        <Message messageId="a" />
        <Message messageId="b" />
      </>,
    )
    expect(screen.queryByRole('button', { name: 'Regenerate' })).toBeNull()
    act(() => chat.change('b', { status: 'complete' }))
    fireEvent.click(screen.getByRole('button', { name: 'Regenerate' }))
    expect(chat.used).toEqual([['regenerate', 'b']])
  })
})

describe('every part an agent may send', () => {
  it('is shown, known or not', () => {
    const parts: MessagePart[] = [
      { type: 'markdown', id: '1', content: '# Plain' },
      { type: 'data', id: '2', viewHint: 'KEY_VALUE', data: { width: 40 } },
      { type: 'artifact', id: '3', artifactId: 'report', url: 'https://files.example/r.pdf' },
      { type: 'notice', id: '4', message: 'Too large', retryable: true },
      { type: 'tool-call', id: '5', name: 'find', status: 'complete', input: { a: 1 } },
      { type: 'warning', id: '6', error: errorOf({ severity: 'WARNING', message: 'Old data.', agentCode: 'stale' }) },
      { type: 'unknown', id: '7', name: 'MAP_OVERLAY', raw: { layer: 1 } },
    ]
    const chat = createFakeChat({ messages: [answer('a', parts)] })
    show(chat, <Message messageId="a" />)
    const words = screen.getByRole('article').textContent
    for (const expected of [
      'Plain',
      'width40',
      'r.pdf',
      'Too large',
      'Used find',
      'Old data.Detailsstale',
      'MAP_OVERLAY',
    ]) {
      expect(words).toContain(expected)
    }
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(chat.used).toEqual([['regenerate', 'a']])
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText('Old data.')).toBeNull()
  })

  it('can be shown by the app instead', () => {
    const parts: MessagePart[] = [text('Words'), { type: 'unknown', id: '7', name: 'MAP_OVERLAY', raw: { layer: 1 } }]
    show(
      createFakeChat({ messages: [answer('a', parts)] }),
      <Message messageId="a" renderPart={(part) => (part.type === 'unknown' ? <p>map {part.name}</p> : undefined)} />,
    )
    expect(screen.getByText('map MAP_OVERLAY')).toBeTruthy()
    expect(prose().textContent).toBe('Words')
  })

  it('of every kind can be shown by the app, and what it leaves stays with its like', () => {
    const parts: MessagePart[] = [
      { type: 'thought', id: 't-1', text: 'Hm.' },
      { type: 'thought', id: 't-2', text: 'Aha.' },
      { type: 'progress', id: 'p-1', label: 'Reading', status: 'complete' },
      { type: 'progress', id: 'p-2', label: 'Counting', status: 'complete' },
      text('Because.[1]'),
      { type: 'gap', id: 'g', after: 3, before: 5 },
      {
        type: 'citations',
        id: 'c',
        citations: [{ sourceId: 's', uri: 'https://s.example', title: 'Source', confidence: 0.5 }],
      },
    ]
    const own = new Set(['t-1', 'p-1', 'g', 'c'])
    show(
      createFakeChat({ messages: [answer('a', parts)] }),
      <Message messageId="a" renderPart={(part) => (own.has(part.id) ? <p>Mine: {part.id}</p> : undefined)} />,
    )
    expect(screen.getAllByText(/^Mine/).map(({ textContent }) => textContent)).toEqual([
      'Mine: t-1',
      'Mine: p-1',
      'Mine: g',
      'Mine: c',
    ])
    const words = screen.getByRole('article').textContent
    expect(words).toContain('Aha.')
    expect(words).not.toContain('Hm.')
    expect(within(screen.getByRole('list', { name: 'Progress' })).getAllByRole('listitem')).toHaveLength(1)
    expect(screen.queryByRole('group', { name: 'Sources' })).toBeNull()
    expect(screen.getByRole('button', { name: /1/ })).toBeTruthy()
  })

  it('is on an element of the app when it asks for that', () => {
    const chat = createFakeChat({ messages: [answer('a', [text('Words')])] })
    show(
      chat,
      <Message
        messageId="a"
        className="mine"
        id="own"
        render={(props, { message }) => (
          <li {...props} data-words={message.parts.length}>
            {props.children}
          </li>
        )}
      />,
    )
    const item = screen.getByRole('listitem')
    expect(item.className).toBe('cs-part cs-message mine')
    expect(item.id).toBe('own')
    expect(item.dataset['words']).toBe('1')
    expect(item.dataset['status']).toBe('complete')
  })
})
