// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Composer } from '../../../src/components/composer/composer.tsx'
import { createDraft, type OnAttach } from '../../../src/components/composer/draft.ts'
import { createFakeChat, errorOf } from '../fake-chat.ts'
import { settle, show } from '../show.tsx'

/** One upload as the app sees it. */
interface Upload {
  readonly file: File
  readonly signal: AbortSignal
  progress(share: number): Promise<void>
  finish(result: Awaited<ReturnType<OnAttach>>): Promise<void>
  fail(): Promise<void>
}

function createUploads(): { onAttach: OnAttach; uploads: Upload[] } {
  const uploads: Upload[] = []
  return {
    uploads,
    onAttach: (file, { signal, onProgress }) =>
      new Promise((resolve, reject) => {
        const settled = (act: () => void) => async (): Promise<void> => {
          act()
          await settle()
        }
        uploads.push({
          file,
          signal,
          progress: (share) => settled(() => onProgress(share))(),
          finish: (result) => settled(() => resolve(result))(),
          fail: settled(() => reject(new Error('socket hang up at 0x7f'))),
        })
      }),
  }
}

const csv = (name = 'gauges.csv', size = 48_000): File => new File([new Uint8Array(size)], name, { type: 'text/csv' })
const box = (): HTMLTextAreaElement => screen.getByRole('textbox')
const chips = (): string[] =>
  screen.queryByRole('list', { name: 'Attached files' })
    ? screen.getAllByRole('listitem').map((item) => item.textContent ?? '')
    : []
/** What is said of files to those who cannot see them. */
const heard = (): string => screen.getAllByRole('status').at(-1)?.textContent ?? ''
const choose = (...files: File[]): void => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (input) fireEvent.change(input, { target: { files } })
}
const enter = (): boolean => fireEvent.keyDown(box(), { key: 'Enter' })

describe('an app that takes no files', () => {
  it('has no button, and leaves what is pasted to the box', () => {
    show(createFakeChat(), <Composer />)
    expect(screen.queryByRole('button', { name: 'Attach files' })).toBeNull()
    expect(fireEvent.paste(box(), { clipboardData: { files: [csv()], types: ['Files'] } })).toBe(true)
    expect(chips()).toEqual([])
  })
})

describe('a file on its way', () => {
  it('is named, goes from its share to its size, and is sent by its id with all that is known of it', async () => {
    const chat = createFakeChat()
    const { onAttach, uploads } = createUploads()
    show(chat, <Composer onAttach={onAttach} />)
    choose(csv())
    await settle()
    expect(chips()).toEqual(['gauges.csv'])
    expect(heard()).toBe('Attaching gauges.csv')
    await uploads[0]?.progress(0.64)
    expect(chips()).toEqual(['gauges.csv64%'])
    expect(heard()).toBe('Attaching gauges.csv')
    await uploads[0]?.finish({ id: 'f-7' })
    expect(chips()[0]).toMatch(/^gauges\.csv48/)
    expect(heard()).toBe('gauges.csv attached')
    fireEvent.change(box(), { target: { value: ' Use it ' } })
    enter()
    await settle()
    expect(chat.used).toEqual([
      [
        'sendMessage',
        { text: 'Use it', files: [{ id: 'f-7', name: 'gauges.csv', mimeType: 'text/csv', size: 48_000 }] },
      ],
    ])
    expect(chips()).toEqual([])
  })

  it('is enough for a message without words', async () => {
    const chat = createFakeChat()
    show(chat, <Composer onAttach={async () => ({ data: 'AAAA' })} />)
    expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true')
    choose(csv())
    await settle()
    expect(screen.getByRole('button', { name: 'Send' }).hasAttribute('aria-disabled')).toBe(false)
    enter()
    expect(chat.used).toEqual([
      ['sendMessage', { text: '', files: [{ data: 'AAAA', name: 'gauges.csv', mimeType: 'text/csv', size: 48_000 }] }],
    ])
  })

  it('holds the message back until it is there, and says so', async () => {
    const chat = createFakeChat()
    const { onAttach, uploads } = createUploads()
    show(chat, <Composer onAttach={onAttach} />)
    choose(csv())
    fireEvent.change(box(), { target: { value: 'Use it' } })
    enter()
    expect(chat.used).toEqual([])
    expect(box().value).toBe('Use it')
    expect(screen.getAllByRole('status')[0]?.textContent).toBe(
      'Wait for uploads to finish, or remove the failed files.',
    )
    await uploads[0]?.finish({ id: 'f-7' })
    expect(screen.getAllByRole('status')[0]?.textContent).toBe('')
    enter()
    expect(chat.used).toHaveLength(1)
  })

  it('is abandoned when it is taken out, and what it reports later is ignored', async () => {
    const { onAttach, uploads } = createUploads()
    show(createFakeChat(), <Composer onAttach={onAttach} />)
    choose(csv())
    await settle()
    fireEvent.click(screen.getByRole('button', { name: 'Remove gauges.csv' }))
    expect(uploads[0]?.signal.aborted).toBe(true)
    expect(heard()).toBe('gauges.csv removed')
    expect(document.activeElement).toBe(box())
    await uploads[0]?.progress(0.9)
    await uploads[0]?.finish({ id: 'f-7' })
    expect(chips()).toEqual([])
  })

  it('continues while no component shows it', async () => {
    const draft = createDraft()
    const { onAttach, uploads } = createUploads()
    const { unmount } = show(createFakeChat(), <Composer onAttach={onAttach} />, draft)
    choose(csv())
    unmount()
    await uploads[0]?.finish({ id: 'f-7' })
    show(createFakeChat(), <Composer onAttach={onAttach} />, draft)
    expect(chips()[0]).toMatch(/^gauges\.csv48/)
  })
})

describe('a file that does not come through', () => {
  it('says so in plain words, and can be tried again', async () => {
    const { onAttach, uploads } = createUploads()
    show(createFakeChat(), <Composer onAttach={onAttach} />)
    choose(csv())
    await uploads[0]?.fail()
    expect(chips()).toEqual(['gauges.csvupload failed'])
    expect(screen.getByRole('listitem').dataset['state']).toBe('failed')
    expect(heard()).toBe('Couldn’t attach gauges.csv: upload failed')
    fireEvent.click(screen.getByRole('button', { name: 'Try gauges.csv again' }))
    await uploads[1]?.progress(0.1)
    // What the first try still says is no longer heard.
    await uploads[0]?.progress(0.9)
    expect(chips()).toEqual(['gauges.csv10%'])
    await uploads[1]?.finish({ id: 'f-7' })
    expect(heard()).toBe('gauges.csv attached')
  })

  it('is refused in the words of the app, and not tried again', async () => {
    show(createFakeChat(), <Composer onAttach={async () => ({ refused: 'has a password' })} />)
    choose(csv())
    await settle()
    expect(chips()).toEqual(['gauges.csvhas a password'])
    expect(screen.queryByRole('button', { name: 'Try gauges.csv again' })).toBeNull()
  })

  it('is refused before the app is called when it is too large or of another kind', async () => {
    const { onAttach, uploads } = createUploads()
    show(createFakeChat(), <Composer onAttach={onAttach} maxFileBytes={10_000} accept=".csv, image/*" />)
    choose(csv('large.csv', 10_001), new File(['x'], 'run.exe', { type: 'application/x-msdownload' }))
    choose(csv('small.CSV', 10_000), new File(['x'], 'a.png', { type: 'image/png' }), new File(['x'], 'unknown.xyz'))
    expect(chips()[0]).toMatch(/^large\.csvlarger than 10/)
    expect(chips()[1]).toBe('run.exefile type not supported')
    expect(uploads.map(({ file }) => file.name)).toEqual(['small.CSV', 'a.png', 'unknown.xyz'])
  })
})

describe('files from elsewhere', () => {
  it('are taken when they are pasted, unless they come beside their text', async () => {
    const { onAttach, uploads } = createUploads()
    show(createFakeChat(), <Composer onAttach={onAttach} />)
    const picture = new File(['x'], 'image.png', { type: 'image/png' })
    expect(fireEvent.paste(box(), { clipboardData: { files: [picture], types: ['Files'] } })).toBe(false)
    expect(
      fireEvent.paste(box(), { clipboardData: { files: [picture], types: ['text/plain', 'text/html', 'Files'] } }),
    ).toBe(true)
    expect(fireEvent.paste(box(), { clipboardData: { files: [], types: ['text/plain'] } })).toBe(true)
    expect(uploads).toHaveLength(1)
  })

  it('are taken when they are dropped, and the box says where', async () => {
    const { onAttach, uploads } = createUploads()
    show(createFakeChat(), <Composer onAttach={onAttach} />)
    const form = screen.getByRole('form')
    const dataTransfer = { files: [csv()], types: ['Files'] }
    expect(fireEvent.dragOver(form, { dataTransfer })).toBe(false)
    expect(form.dataset['over']).toBe('')
    expect(heard()).toBe('Drop files to attach')
    fireEvent.dragLeave(form, { dataTransfer })
    expect(form.dataset['over']).toBeUndefined()
    fireEvent.dragOver(form, { dataTransfer })
    expect(fireEvent.drop(form, { dataTransfer })).toBe(false)
    expect(form.dataset['over']).toBeUndefined()
    expect(uploads).toHaveLength(1)
    expect(document.activeElement).toBe(box())
  })

  it('text dragged over is the browser’s own', () => {
    show(createFakeChat(), <Composer onAttach={createUploads().onAttach} />)
    expect(fireEvent.dragOver(screen.getByRole('form'), { dataTransfer: { files: [], types: ['text/plain'] } })).toBe(
      true,
    )
  })
})

describe('a message with files that the chat refuses', () => {
  it('comes back with them, before what was attached since', async () => {
    const chat = createFakeChat()
    const draft = createDraft({ text: 'Use it', files: ['f-1', { id: 'f-2', name: 'notes.pdf', size: 12 }] })
    chat.refuse(errorOf({ code: 'busy' }))
    show(chat, <Composer onAttach={async () => ({ id: 'f-3' })} />, draft)
    enter()
    act(() => draft.attach(csv(), async () => ({ id: 'f-3' })))
    await settle()
    expect(chips()).toEqual(['f-1', 'notes.pdf12 B', expect.stringContaining('gauges.csv')])
    expect(box().value).toBe('Use it')
    enter()
    expect(chat.used.at(-1)).toEqual([
      'sendMessage',
      {
        text: 'Use it',
        files: [
          'f-1',
          { id: 'f-2', name: 'notes.pdf', size: 12 },
          { id: 'f-3', name: 'gauges.csv', mimeType: 'text/csv', size: 48_000 },
        ],
      },
    ])
  })
})
