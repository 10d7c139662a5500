// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { describe, expect, it, vi } from 'vitest'
import { Chat } from '../../../src/components/chat.tsx'
import { Composer } from '../../../src/components/composer/composer.tsx'
import { fileGuard } from '../../../src/components/internals/input-guards.ts'
import { MessageList } from '../../../src/components/message-list/message-list.tsx'
import { PromptCard } from '../../../src/components/prompt-card.tsx'
import { ThreadList } from '../../../src/components/thread-list.tsx'
import { createFakeChat, said } from '../fake-chat.ts'
import { createFakeControls, promptOf } from '../prompt-body/fake-controls.ts'
import { show } from '../show.tsx'

interface Dragged {
  readonly types: readonly string[]
  readonly files: readonly File[]
  dropEffect: string
}

const file = new File(['a,b'], 'gauges.csv', { type: 'text/csv' })
const files = (): Dragged => ({ types: ['Files'], files: [file], dropEffect: 'copy' })
const words = (): Dragged => ({ types: ['text/plain', 'text/html'], files: [], dropEffect: 'copy' })

/** What happens to something that is moved over an element and dropped there. */
function drop(on: Element, dataTransfer: Dragged): { readonly opens: boolean; readonly effect: string } {
  const isOver = fireEvent.dragOver(on, { dataTransfer })
  const { dropEffect } = dataTransfer
  const isDropped = fireEvent.drop(on, { dataTransfer })
  return { opens: isOver && isDropped, effect: dropEffect }
}

const REFUSED = { opens: false, effect: 'none' }
const chat = createFakeChat({ messages: [said('u', 'Why?')] })
const prompt = promptOf({ kind: 'approval', message: 'Send it?' })
const controls = createFakeControls(prompt).controls

describe('a file dropped on', () => {
  it.each<[name: string, page: () => ReactElement, on: () => Element]>([
    ['the transcript of a chat', () => <Chat chat={chat} />, () => screen.getByRole('log')],
    ['the header of a chat', () => <Chat chat={chat} title="Rivers" />, () => screen.getByText('Rivers')],
    ['the composer of a chat', () => <Chat chat={chat} />, () => screen.getByRole('textbox')],
    [
      'a dialog inside a chat',
      () => <Chat chat={chat} title={<dialog open>Settings</dialog>} />,
      () => screen.getByRole('dialog'),
    ],
    ['a composer without a chat around it', () => <Composer />, () => screen.getByRole('textbox')],
    ['a transcript without a chat around it', () => <MessageList />, () => screen.getByRole('log')],
    ['a prompt', () => <PromptCard controls={controls} />, () => screen.getByText('Send it?')],
    [
      'a list of conversations',
      () => <ThreadList threads={[]} onSelect={() => {}} />,
      () => screen.getByRole('navigation'),
    ],
  ])('%s is not opened by the browser, and the cursor shows that it is refused', (_, page, on) => {
    show(chat, page())
    expect(drop(on(), files())).toEqual(REFUSED)
    expect(drop(on(), words())).toEqual({ opens: true, effect: 'copy' })
  })

  it('a chat with onAttach is accepted anywhere in it, and one that it takes no more is not opened either', () => {
    const onAttach = vi.fn(async () => ({ id: 'f-1' }))
    show(chat, <Chat chat={chat} title="Rivers" composerProps={{ onAttach, maxFileBytes: 1 }} />)
    expect(drop(screen.getByText('Rivers'), files())).toEqual({ opens: false, effect: 'copy' })
    expect(screen.getByRole('listitem').textContent).toContain('gauges.csv')
    expect(onAttach).not.toHaveBeenCalled()
  })
})

describe('fileGuard', () => {
  it('leaves the file to a drop zone of the app around the element, inside it, and on it', () => {
    const taken: string[] = []
    function Zone({ name, children }: { readonly name: string; readonly children?: ReactNode }): ReactNode {
      const zone = useRef<HTMLDivElement>(null)
      useEffect(() => {
        const accept = (event: Event): void => event.preventDefault()
        zone.current?.addEventListener('dragover', accept)
      }, [])
      return (
        <div
          ref={zone}
          data-testid={name}
          onDrop={(event) => {
            event.preventDefault()
            taken.push(name)
          }}
        >
          {children}
        </div>
      )
    }
    render(
      <Zone name="around">
        <Chat chat={chat} title={<Zone name="inside" />} />
      </Zone>,
    )
    expect(drop(screen.getByTestId('inside'), files())).toEqual({ opens: false, effect: 'copy' })
    expect(taken).toEqual(['inside', 'around'])
    expect(drop(screen.getByRole('log'), files())).toEqual({ opens: false, effect: 'copy' })
    expect(taken).toEqual(['inside', 'around', 'around'])
  })

  it('calls the handlers that the app has put on the element', () => {
    const called: string[] = []
    render(
      <Chat
        chat={chat}
        onDragOver={(event) => {
          event.preventDefault()
          called.push('over')
        }}
        onDrop={() => called.push('drop')}
      />,
    )
    expect(drop(screen.getByRole('log'), files())).toEqual({ opens: false, effect: 'copy' })
    expect(called).toEqual(['over', 'drop'])
  })

  it('leaves an input of files to the browser', () => {
    render(<Chat chat={chat} title={<input type="file" data-testid="input" />} />)
    expect(drop(screen.getByTestId('input'), files())).toEqual({ opens: true, effect: 'copy' })
  })

  it('refuses in a shadow root and in another document', () => {
    const host = document.body.appendChild(document.createElement('div'))
    const frame = document.body.appendChild(document.createElement('iframe'))
    const places = [host.attachShadow({ mode: 'closed' }), frame.contentDocument?.body ?? host]
    const refused = places.map((place) => {
      const element = (): Element => place.querySelector('b') ?? host
      const view = render(
        createPortal(
          <div {...fileGuard({})}>
            <b />
          </div>,
          place,
        ),
      )
      const result = drop(element(), files())
      view.unmount()
      return result
    })
    expect(refused).toEqual([REFUSED, REFUSED])
    host.remove()
    frame.remove()
  })

  it('concerns no later drag where the page has stopped the event', () => {
    const stop = (event: Event): void => event.stopPropagation()
    for (const type of ['dragover', 'drop']) document.body.addEventListener(type, stop, { once: true })
    render(
      <>
        <Chat chat={chat} />
        <i data-testid="outside" />
      </>,
    )
    drop(screen.getByRole('log'), files())
    expect(drop(screen.getByTestId('outside'), files())).toEqual({ opens: true, effect: 'copy' })
  })
})
