// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { Chat } from '../../src/components/chat.tsx'
import { ErrorBoundary, RenderErrorContext } from '../../src/components/error-boundary.tsx'
import type { RenderPart } from '../../src/components/message/message-context.ts'
import type { MessagePart } from '../../src/state/turn.ts'
import { answer, createFakeChat, said, text } from './fake-chat.ts'
import { hearCaughtErrors } from './show.tsx'

const artifact: MessagePart = {
  type: 'artifact',
  id: 'map',
  artifactId: 'map',
  url: 'https://a.example/map',
  mimeType: 'image/png',
}
const NOTICE = 'Couldn’t display this content'

/** A host's renderer that fails on parts of one type, and counts how often it was asked for one. */
function failingOn(
  type: MessagePart['type'],
  error: unknown = new TypeError('Cannot read properties of undefined'),
): { readonly renderPart: RenderPart; asked: number; broken: boolean } {
  const host = {
    asked: 0,
    broken: true,
    renderPart: ((part) => {
      if (part.type !== type) return undefined
      host.asked += 1
      if (host.broken) throw error
      return <p>Mine</p>
    }) satisfies RenderPart,
  }
  return host
}

describe('a part whose renderer throws', () => {
  it('costs only itself: the text around it, the other messages and the composer live on', () => {
    const { options } = hearCaughtErrors()
    const host = failingOn('artifact')
    const chat = createFakeChat({
      status: 'streaming',
      messages: [
        said('u', 'Draw it'),
        answer('old', [text('Earlier')]),
        answer('a', [text('Before. '), artifact, text('After', 'text-2')], { status: 'streaming' }),
      ],
    })
    render(<Chat chat={chat} renderPart={host.renderPart} />, options)
    const [, broken] = screen.getAllByRole('article', { name: 'Assistant' }) as [HTMLElement, HTMLElement]
    expect(within(broken).getByText(NOTICE)).toBeTruthy()
    expect(broken.textContent).toContain('Before.')
    act(() => chat.change('a', { parts: [text('Before. '), artifact, text('After all', 'text-2')] }))
    expect(broken.textContent).toContain('After all')
    expect(screen.getByText('Earlier')).toBeTruthy()
    expect(screen.getAllByText(NOTICE)).toHaveLength(1)
    expect(screen.getByRole('textbox')).toBeTruthy()
  })

  it.each([
    [{ type: 'thought', id: 't', text: 'Hm.' }, 'Hm.'],
    [{ type: 'progress', id: 'p', label: 'Reading', status: 'complete' }, 'Reading'],
    [
      {
        type: 'citations',
        id: 'c',
        citations: [{ sourceId: 's', uri: 'https://s.example', title: 'A source', confidence: 0.5 }],
      },
      'A source',
    ],
  ] satisfies [MessagePart, string][])('leaves what capstan shows together to capstan: %o', (part, words) => {
    const { options } = hearCaughtErrors()
    render(
      <Chat
        chat={createFakeChat({ messages: [answer('a', [part, text('After')])] })}
        renderPart={failingOn(part.type).renderPart}
      />,
      options,
    )
    const article = screen.getByRole('article', { name: 'Assistant' })
    expect(within(article).getByText(NOTICE)).toBeTruthy()
    expect(article.textContent).toContain(words)
    expect(article.textContent).toContain('After')
  })

  it('says what was thrown, folded and as text', () => {
    const { options } = hearCaughtErrors()
    const host = failingOn('artifact', new RangeError('<b>too deep</b>'))
    render(
      <Chat chat={createFakeChat({ messages: [answer('a', [artifact])] })} renderPart={host.renderPart} />,
      options,
    )
    const details = screen.getByText('Details').closest('details')
    expect(details?.open).toBe(false)
    expect(details?.textContent).toContain('RangeError')
    expect(details?.textContent).toContain('<b>too deep</b>')
    expect(details?.querySelector('b')).toBeNull()
  })

  it.each([
    null,
    undefined,
    'words',
    7,
    Object.create(null) as object,
    Object.assign(new Error(), { message: { deep: true } }),
  ])('whatever it threw: %o', (thrown) => {
    const { options } = hearCaughtErrors()
    render(
      <Chat
        chat={createFakeChat({ messages: [answer('a', [artifact])] })}
        renderPart={failingOn('artifact', thrown).renderPart}
      />,
      options,
    )
    expect(screen.getByText(NOTICE)).toBeTruthy()
  })

  it('of text loses no word: the answer continues as plain text beneath', () => {
    const { options } = hearCaughtErrors()
    const host = failingOn('text')
    const chat = createFakeChat({
      status: 'streaming',
      messages: [answer('a', [text('Rivers')], { status: 'streaming' })],
    })
    render(<Chat chat={chat} renderPart={host.renderPart} />, options)
    act(() => chat.change('a', { parts: [text('Rivers bend.')] }))
    expect(screen.getByText('Rivers bend.')).toBeTruthy()
    expect(screen.getByText(NOTICE)).toBeTruthy()
  })
})

describe('an answer that streams on under a broken part', () => {
  it('does not fail again with every token', () => {
    const { options, caught } = hearCaughtErrors()
    const host = failingOn('text')
    const chat = createFakeChat({ status: 'streaming', messages: [answer('a', [text('')], { status: 'streaming' })] })
    render(<Chat chat={chat} renderPart={host.renderPart} />, options)
    const { asked } = host
    let words = ''
    for (let token = 0; token < 500; token += 1) {
      words += `word${token} `
      act(() => chat.change('a', { parts: [text(words)] }))
    }
    expect(host.asked).toBe(asked)
    expect(caught).toHaveLength(1)
    expect(screen.getByRole('article').textContent).toContain('word499')
  })

  it('tries again once when it ends', () => {
    const { options, caught } = hearCaughtErrors()
    const host = failingOn('text')
    const chat = createFakeChat({
      status: 'streaming',
      messages: [answer('a', [text('Half')], { status: 'streaming' })],
    })
    render(<Chat chat={chat} renderPart={host.renderPart} />, options)
    act(() => chat.change('a', { status: 'complete', parts: [text('Whole')] }))
    expect(caught).toHaveLength(2)
    expect(screen.getByText(NOTICE)).toBeTruthy()
  })

  it('and recovers when what was missing has come', () => {
    const { options } = hearCaughtErrors()
    const host = failingOn('tool-call')
    const call = (status: 'running' | 'complete'): MessagePart => ({
      type: 'tool-call',
      id: 't',
      name: 'gauge',
      status,
    })
    const chat = createFakeChat({
      status: 'streaming',
      messages: [answer('a', [call('running')], { status: 'streaming' })],
    })
    render(<Chat chat={chat} renderPart={host.renderPart} />, options)
    expect(screen.getByText(NOTICE)).toBeTruthy()
    host.broken = false
    act(() => chat.change('a', { parts: [call('complete')] }))
    expect(screen.queryByText(NOTICE)).toBeNull()
    expect(screen.getByText('Mine')).toBeTruthy()
  })

  it('or when a user asks for it', () => {
    const { options } = hearCaughtErrors()
    const host = failingOn('artifact')
    render(
      <Chat chat={createFakeChat({ messages: [answer('a', [artifact])] })} renderPart={host.renderPart} />,
      options,
    )
    host.broken = false
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(screen.getByText('Mine')).toBeTruthy()
  })
})

describe('a message that cannot be shown at all', () => {
  it('leaves the others as they are, and hands nothing to the boundary above when it is tried again in vain', () => {
    const { options, caught } = hearCaughtErrors()
    function Fragile({ step }: { readonly step: number }): ReactNode {
      throw new Error(`step ${step}`)
    }
    const page = (step: number): ReactNode => (
      <ErrorBoundary>
        <p>Above</p>
        <ErrorBoundary resetKeys={[step]}>
          <Fragile step={step} />
        </ErrorBoundary>
      </ErrorBoundary>
    )
    const { rerender } = render(page(1), options)
    for (const step of [2, 2, 3]) rerender(page(step))
    expect(screen.getByText('Above')).toBeTruthy()
    expect(screen.getAllByText(NOTICE)).toHaveLength(1)
    expect(caught.map(String)).toEqual(['Error: step 1', 'Error: step 2', 'Error: step 3'])
  })
})

describe('the host', () => {
  it('is called with each failure once, with the place', async () => {
    const { options } = hearCaughtErrors()
    const broken = new TypeError('no map')
    const heard: [error: unknown, place: string][] = []
    const chat = createFakeChat({ messages: [answer('a', [artifact])] })
    const { rerender } = render(
      <Chat
        chat={chat}
        renderPart={failingOn('artifact', broken).renderPart}
        onRenderError={(error, { componentStack }) => heard.push([error, componentStack ?? ''])}
      />,
      options,
    )
    await waitFor(() => expect(heard).toHaveLength(1))
    expect(heard[0]?.[0]).toBe(broken)
    expect(heard[0]?.[1]).toContain('PartContent')
    rerender(<Chat chat={chat} />)
    expect(heard).toHaveLength(1)
  })

  it('whose own handler throws does not take the page down', async () => {
    const { options } = hearCaughtErrors()
    const complaints: unknown[] = []
    const note = (event: ErrorEvent): void => {
      event.preventDefault()
      // React 18 tells the window of what a boundary catches.
      if (String(event.error).includes('reporting failed')) complaints.push(event.error)
    }
    // An error in a microtask reaches the window of a browser and the process of Node.
    window.addEventListener('error', note)
    const before = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', (error) => complaints.push(error))
    try {
      const loud = (): void => {
        throw new Error('reporting failed')
      }
      render(
        <RenderErrorContext.Provider value={loud}>
          <ErrorBoundary>
            <Chat
              chat={createFakeChat({ messages: [answer('a', [artifact])] })}
              renderPart={failingOn('artifact').renderPart}
              onRenderError={loud}
            />
          </ErrorBoundary>
        </RenderErrorContext.Provider>,
        options,
      )
      await waitFor(() => expect(complaints).toHaveLength(1))
      expect(String(complaints[0])).toContain('reporting failed')
      expect(screen.getByText(NOTICE)).toBeTruthy()
      expect(screen.getByRole('textbox')).toBeTruthy()
    } finally {
      window.removeEventListener('error', note)
      process.removeAllListeners('uncaughtException')
      for (const listener of before) process.on('uncaughtException', listener)
    }
  })
})

describe('a message whose renderer throws', () => {
  it('falls alone, and is there again with a renderer that can', () => {
    const { options, caught } = hearCaughtErrors()
    const messages = [said('u', 'Hi'), answer('a', [text('Ho')])]
    const list = (broken: string | undefined): ReactNode => (
      <Chat
        chat={chat}
        listProps={{
          renderMessage(id) {
            if (id === broken) throw new TypeError('No such message')
            return <article>Mine: {id}</article>
          },
        }}
      />
    )
    const chat = createFakeChat({ messages })
    const { rerender } = render(list('u'), options)
    expect(screen.getAllByText(NOTICE)).toHaveLength(1)
    expect(screen.getByText('Mine: a')).toBeTruthy()
    expect(screen.getByRole('textbox')).toBeTruthy()
    expect(caught).toHaveLength(1)
    rerender(list(undefined))
    expect(screen.queryByText(NOTICE)).toBeNull()
    expect(screen.getByText('Mine: u')).toBeTruthy()
  })
})
