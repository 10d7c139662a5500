// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createRef, StrictMode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DictionaryProvider } from '../../../src/components/dictionary/dictionary-context.tsx'
import { arabic } from '../../../src/strings/arabic.ts'
import { arabicForm } from '../../../src/strings/arabic-pack.ts'
import { chineseForm } from '../../../src/strings/chinese-pack.ts'
import type { FormDrafts, SchemaFormProps } from '../../../src/components/schema-form/form-body.tsx'
import { germanForm } from '../../../src/strings/german-pack.ts'
import { englishForm } from '../../../src/strings/form.ts'
import { formIn, SchemaForm } from '../../../src/components/schema-form/schema-form.tsx'
import { settle } from '../show.tsx'

// What is tested here begins after the code has been fetched.
await Promise.all([formIn(undefined).load(), import('../../../src/components/schema-form/bounded-judge.ts')])

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'As on your ticket', minLength: 2 },
    seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 4 },
    tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
  },
  required: ['name', 'seats'],
}

const form = (): HTMLElement => screen.getByRole('form')
const field = (name: RegExp): HTMLElement => screen.getByLabelText(name)
const write = (name: RegExp, value: string): void => void fireEvent.change(field(name), { target: { value } })

function showForm(props: Partial<SchemaFormProps> = {}): {
  readonly onSubmit: ReturnType<typeof vi.fn<(value: unknown) => void>>
  readonly again: (props: Partial<SchemaFormProps>) => void
  readonly unmount: () => void
} {
  const onSubmit = vi.fn<(value: unknown) => void>()
  const whole = (more: Partial<SchemaFormProps>): React.ReactNode => (
    <SchemaForm schema={schema} aria-label="Form" onSubmit={onSubmit} {...props} {...more} />
  )
  const { rerender, unmount } = render(whole({}))
  return { onSubmit, unmount, again: (more) => rerender(whole(more)) }
}

async function submit(): Promise<void> {
  fireEvent.submit(form())
  await waitFor(() => expect(form().dataset['status']).not.toBe('checking'), { timeout: 20_000 })
}

/** The text that a control is described by. */
const described = (control: HTMLElement): string =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' | ')

beforeEach(() => sessionStorage.clear())

describe('a form of a schema', () => {
  it('names each field, says in words which must be filled in, and describes it', () => {
    showForm()
    expect(field(/^Name \(required\)$/)).toBe(field(/Name/))
    expect(field(/Name/)).toHaveProperty('required', true)
    expect(described(field(/Name/))).toBe('As on your ticket')
    expect(field(/Seats/)).toMatchObject({ type: 'number', min: '1', max: '4' })
    expect(screen.getByRole('group', { name: 'Tags' })).toBeTruthy()
  })

  it('hands over the value', async () => {
    const { onSubmit } = showForm()
    write(/Name/, 'Ada')
    write(/Seats/, '2')
    await submit()
    expect(onSubmit.mock.calls).toEqual([[{ name: 'Ada', seats: 2 }]])
  })

  it('says what is wrong at each field and in a summary, and moves the focus to the first', async () => {
    const { onSubmit } = showForm()
    write(/Name/, 'A')
    await submit()
    expect(onSubmit).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(field(/Name/))
    expect(field(/Name/).getAttribute('aria-invalid')).toBe('true')
    expect(described(field(/Name/))).toBe('As on your ticket | Enter at least 2 characters.')
    const summary = screen.getByRole('group', { name: 'Correct 2 fields' })
    fireEvent.click(within(summary).getByRole('button', { name: 'Seats' }))
    expect(document.activeElement).toBe(field(/Seats/))
    write(/Name/, 'Ada')
    expect(field(/Name/).getAttribute('aria-invalid')).toBeNull()
    expect(screen.getByRole('group', { name: 'Correct 1 field' })).toBeTruthy()
  })

  it('shows what the validator says where fields cannot know it', async () => {
    const { onSubmit } = showForm({ schema: { ...schema, not: { required: ['tags'] } } })
    write(/Name/, 'Ada')
    write(/Seats/, '2')
    fireEvent.click(screen.getByRole('button', { name: 'Add to Tags' }))
    write(/Item 1/, 'x')
    await submit()
    expect(onSubmit).not.toHaveBeenCalled()
    const summary = screen.getByText(/^Not accepted: /).closest('[role="group"]')
    await vi.waitFor(() => expect(document.activeElement).toBe(summary))
    fireEvent.click(screen.getByRole('button', { name: 'Remove item 1 from Tags' }))
    expect(screen.queryByText(/^Not accepted: /)).toBeNull()
    await submit()
    expect(onSubmit.mock.calls).toEqual([[{ name: 'Ada', seats: 2 }]])
  })

  it('shows what the agent refused at its field until that is changed', async () => {
    const { onSubmit, again } = showForm({ initial: { name: 'Ada', seats: 2, tags: ['a', 'b'] } })
    await submit()
    screen.getByRole('button', { name: 'Submit' }).focus()
    const errors = [
      { path: '/tags/1', message: 'No such tag \u202Egat' },
      { path: '/seats', message: 'Only one is left' },
      { path: '/tags/0/deep/er', message: 'Too deep' },
      { path: '', message: 'Nearly sold out' },
    ]
    again({ errors })
    expect(document.activeElement).toBe(field(/Seats/))
    expect(described(field(/Item 2/))).toBe('No such tag ⟨U+202E⟩gat')
    expect(described(field(/Item 1/))).toBe('Too deep')
    expect(screen.getByText('Nearly sold out')).toBeTruthy()
    write(/Seats/, '1')
    expect(field(/Seats/).getAttribute('aria-invalid')).toBeNull()
    expect(field(/Item 2/).getAttribute('aria-invalid')).toBe('true')
    await submit()
    expect(onSubmit.mock.calls.at(-1)).toEqual([{ name: 'Ada', seats: 1, tags: ['a', 'b'] }])
    // Refused for the same reason, it is another refusal.
    again({ errors: [...errors] })
    expect(field(/Seats/).getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field(/Seats/))
  })

  it('shows a refusal of a row no longer once another row is removed, as it would be at the wrong one', async () => {
    const { again } = showForm({ initial: { name: 'Ada', seats: 2, tags: ['a', 'b', 'c'] } })
    await submit()
    again({ errors: [{ path: '/tags/1', message: 'No such tag' }] })
    expect(described(field(/Item 2/))).toBe('No such tag')
    fireEvent.click(screen.getByRole('button', { name: 'Remove item 1 from Tags' }))
    expect(screen.queryByText('No such tag')).toBeNull()
  })

  it('leaves the focus where it is when it opens with a refusal', () => {
    showForm({ errors: [{ path: '/name', message: 'Taken' }] })
    expect(described(field(/Name/))).toContain('Taken')
    expect(document.activeElement).toBe(document.body)
  })

  it('moves the focus to a new row, and to the next one from a row that goes', () => {
    showForm()
    const add = screen.getByRole('button', { name: 'Add to Tags' })
    fireEvent.click(add)
    expect(document.activeElement).toBe(field(/Item 1/))
    fireEvent.click(add)
    write(/Item 2/, 'second')
    fireEvent.click(screen.getByRole('button', { name: 'Remove item 1 from Tags' }))
    expect(document.activeElement).toBe(field(/Item 1/))
    expect(field(/Item 1/)).toHaveProperty('value', 'second')
    fireEvent.click(screen.getByRole('button', { name: 'Remove item 1 from Tags' }))
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Tags' }))
  })

  it('adds no more rows than there may be', () => {
    showForm({
      schema: { type: 'object', properties: { a: { type: 'array', items: { type: 'string' }, maxItems: 1 } } },
    })
    fireEvent.click(screen.getByRole('button', { name: 'Add to a' }))
    expect(screen.queryByRole('button', { name: 'Add to a' })).toBeNull()
  })

  it('keeps entries when an object with the same content comes with another render', () => {
    const { again } = showForm()
    write(/Name/, 'Ada')
    again({ schema: structuredClone(schema) })
    expect(field(/Name/)).toHaveProperty('value', 'Ada')
    again({ schema: { ...schema, title: 'Another' } })
    expect(field(/Name/)).toHaveProperty('value', '')
  })

  it('takes nothing while it is disabled, and keeps the focus', () => {
    const { onSubmit, again } = showForm({ initial: { name: 'Ada', seats: 2 } })
    field(/Name/).focus()
    again({ disabled: true })
    expect(document.activeElement).toBe(field(/Name/))
    expect(field(/Name/)).toHaveProperty('readOnly', true)
    fireEvent.submit(form())
    fireEvent.click(screen.getByRole('button', { name: 'Add to Tags' }))
    expect(screen.queryByLabelText(/Item 1/)).toBeNull()
    expect(form().dataset['status']).toBe('disabled')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('hands over nothing once it is gone or disabled, and nothing twice', async () => {
    const first = showForm({ initial: { name: 'Ada', seats: 2 } })
    fireEvent.submit(form())
    fireEvent.submit(form())
    await submit()
    expect(first.onSubmit).toHaveBeenCalledTimes(1)
    fireEvent.submit(form())
    first.again({ disabled: true })
    await settle()
    await act(() => new Promise((resolve) => setTimeout(resolve)))
    expect(first.onSubmit).toHaveBeenCalledTimes(1)
    first.unmount()
    const second = showForm({ initial: { name: 'Ada', seats: 2 } })
    fireEvent.submit(form())
    second.unmount()
    await act(() => new Promise((resolve) => setTimeout(resolve)))
    expect(second.onSubmit).not.toHaveBeenCalled()
  })

  it('says of what the browser cannot read that it is not a number, rather than leaving it out', async () => {
    const { onSubmit } = showForm({ schema: { type: 'object', properties: { a: { type: 'number' } } } })
    // As a browser does with `1e` in the box.
    Object.defineProperty(field(/a/), 'validity', { value: { badInput: true } })
    await submit()
    expect(onSubmit).not.toHaveBeenCalled()
    expect(described(field(/a/))).toBe('Enter a number.')
    expect(document.activeElement).toBe(field(/a/))
  })

  it('warns where a credential is asked for, and never has a box for one', () => {
    showForm({
      schema: {
        type: 'object',
        properties: {
          password: { type: 'string' },
          b: { type: 'string', format: 'password' },
          accessToken: { type: 'string' },
        },
      },
    })
    expect(screen.getAllByText('Never enter passwords here.')).toHaveLength(3)
    expect(described(field(/^b/))).toBe('Never enter passwords here.')
    expect([...document.querySelectorAll('input')].map(({ type }) => type)).toEqual(['text', 'text', 'text'])
  })

  it('shows hidden characters and markup as text', () => {
    showForm({
      schema: {
        type: 'object',
        title: '<b>x</b>',
        description: '**not bold** <img src=x>',
        properties: { a: { type: 'string', title: 'Am\u200Bount\u202E', description: '\u2066x' } },
      },
    })
    expect(screen.getByText('**not bold** <img src=x>')).toBeTruthy()
    expect(field(/Am⟨U\+200B⟩ount⟨U\+202E⟩/)).toBeTruthy()
    expect(document.querySelectorAll('img, b')).toHaveLength(0)
  })

  it('says that the agent checks a pattern which could take long, and runs none', async () => {
    const { onSubmit } = showForm({
      schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
    })
    expect(described(field(/a/))).toBe('The agent checks the format of this value.')
    write(/a/, `${'a'.repeat(60)}!`)
    await submit()
    expect(onSubmit).toHaveBeenCalledTimes(1)
  })

  it('shows an absurd schema as JSON text, without a pause or an error', async () => {
    let deep: object = { type: 'string' }
    for (let depth = 0; depth < 1_000; depth += 1) deep = { type: 'object', properties: { a: deep } }
    const large = {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 200_000 }, (_, at) => [
          `property-number-${at}`,
          { type: 'string', title: 'x'.repeat(30) },
        ]),
      ),
    }
    const endless: Record<string, unknown> = {}
    endless['properties'] = { endless }
    for (const absurd of [deep, large, endless, { title: 'x'.repeat(10_000_000) }]) {
      const { onSubmit, unmount } = showForm({ schema: absurd as Record<string, unknown> })
      write(/Value/, '{"a": 1}')
      await submit()
      expect(onSubmit.mock.calls).toEqual([[{ a: 1 }]])
      expect(document.body.innerHTML.length).toBeLessThan(5_000)
      unmount()
    }
  })

  it('asks for JSON that can be read, and shows the schema of it', async () => {
    const { onSubmit } = showForm({
      schema: { type: 'object', properties: { a: { title: 'Any', items: [] } }, required: ['a'] },
    })
    expect(described(field(/Any/))).toBe('Enter this as JSON.')
    write(/Any/, '{a: 1}')
    await submit()
    expect(described(field(/Any/))).toBe('Enter this as JSON. | This is not valid JSON.')
    expect(screen.getByText('Schema').closest('details')?.textContent).toContain('"Any"')
    write(/Any/, '[1]')
    await submit()
    expect(onSubmit.mock.calls).toEqual([[{ a: [1] }]])
  })

  it('has a button to cancel and space for others, and its own name for the one that submits', () => {
    const onCancel = vi.fn<() => void>()
    const ref = createRef<HTMLFormElement>()
    render(
      <SchemaForm
        schema={schema}
        onSubmit={() => {}}
        onCancel={onCancel}
        submitLabel="Book"
        aria-label="Form"
        ref={ref}
      >
        <button type="button">Decline</button>
      </SchemaForm>,
    )
    expect([...form().querySelectorAll('.cs-form-actions button')].map((button) => button.textContent)).toEqual([
      'Decline',
      'Cancel',
      'Book',
    ])
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onCancel).toHaveBeenCalledTimes(1)
    expect(ref.current).toBe(form())
  })

  it('takes a root element of the host', () => {
    render(
      <SchemaForm
        schema={schema}
        onSubmit={() => {}}
        render={(props, { status }) => <form {...props} data-own={status} aria-label="Form" />}
      />,
    )
    expect(form().dataset).toMatchObject({ own: 'ready', status: 'ready' })
  })
})

describe('a draft of a form', () => {
  const restored = async (): Promise<void> => {
    await settle()
    await settle()
  }

  it('comes back after the page was left or loaded again, without secrets', async () => {
    const secret = {
      type: 'object',
      properties: {
        ...schema.properties,
        pin: { type: 'string', title: 'PIN' },
        key: { type: 'string', writeOnly: true },
      },
    }
    const { unmount } = showForm({ schema: secret, draftKey: 'p1' })
    await restored()
    write(/Name/, 'Ada')
    write(/PIN/, 'canary-1')
    write(/key/, 'canary-2')
    fireEvent.click(screen.getByRole('button', { name: 'Add to Tags' }))
    write(/Item 1/, 'early')
    unmount()
    const stored = JSON.stringify(Object.entries(sessionStorage))
    expect(stored).toContain('Ada')
    expect(stored).not.toContain('canary')
    showForm({ schema: secret, draftKey: 'p1' })
    await restored()
    expect(field(/Name/)).toHaveProperty('value', 'Ada')
    expect(field(/Item 1/)).toHaveProperty('value', 'early')
    expect(field(/PIN/)).toHaveProperty('value', '')
    expect(field(/key/)).toHaveProperty('value', '')
  })

  it('is of one form: another key or another schema begins empty', async () => {
    const { unmount } = showForm({ draftKey: 'p1' })
    await restored()
    write(/Name/, 'Ada')
    unmount()
    const other = showForm({ draftKey: 'p2' })
    await restored()
    expect(field(/Name/)).toHaveProperty('value', '')
    other.unmount()
    showForm({
      draftKey: 'p1',
      schema: { type: 'object', properties: { name: { type: 'string', title: 'Name of your bank' } } },
    })
    await restored()
    expect(field(/Name/)).toHaveProperty('value', '')
  })

  it('is removed when the form goes after it was submitted, and stays after a change or a refusal', async () => {
    const done = showForm({ draftKey: 'p1' })
    await restored()
    write(/Name/, 'Ada')
    write(/Seats/, '1')
    await submit()
    expect(sessionStorage).toHaveLength(1)
    done.unmount()
    expect(sessionStorage).toHaveLength(0)
    const changed = showForm({ draftKey: 'p1', initial: { name: 'Ada', seats: 1 } })
    await restored()
    write(/Name/, 'Ada L')
    await submit()
    write(/Name/, 'Ada Lovelace')
    changed.unmount()
    expect(sessionStorage).toHaveLength(1)
    sessionStorage.clear()
    const refused = showForm({ draftKey: 'p1' })
    await restored()
    write(/Name/, 'Ada')
    write(/Seats/, '1')
    await submit()
    refused.again({ errors: [{ path: '/name', message: 'Taken' }] })
    refused.unmount()
    expect(sessionStorage).toHaveLength(1)
  })

  it('never replaces what was entered while it was read, and is not needed', async () => {
    let text: string | undefined
    const first = showForm({
      draftKey: 'p1',
      drafts: {
        read: () => undefined,
        write: (_, written) => {
          text = written
        },
      },
    })
    await restored()
    write(/Name/, 'Old')
    first.unmount()
    expect(text).toContain('Old')
    let answer: (text: string | undefined) => void = () => {}
    const drafts: FormDrafts = {
      read: () =>
        new Promise((resolve) => {
          answer = resolve
        }),
      write: () => {
        throw new Error('The storage is full.')
      },
    }
    showForm({ draftKey: 'p1', drafts })
    write(/Name/, 'New')
    answer(text)
    await restored()
    write(/Seats/, '2')
    expect(field(/Name/)).toHaveProperty('value', 'New')
  })

  it.each(['no JSON', '{}', '{"of":0,"entries":{}}', 'null', '[]'])('that is %s is not a draft', async (text) => {
    showForm({ draftKey: 'p1', drafts: { read: () => text, write: () => {} } })
    await restored()
    expect(field(/Name/)).toHaveProperty('value', '')
  })

  it('survives effects that run twice', async () => {
    const first = render(
      <StrictMode>
        <SchemaForm schema={schema} onSubmit={() => {}} draftKey="p1" aria-label="Form" />
      </StrictMode>,
    )
    await restored()
    write(/Name/, 'Ada')
    first.unmount()
    showForm({ draftKey: 'p1' })
    await restored()
    expect(field(/Name/)).toHaveProperty('value', 'Ada')
  })
})

describe('the words of a form', () => {
  it('are those of the language of the dictionary, fetched on demand', async () => {
    render(
      <DictionaryProvider strings={arabic}>
        <SchemaForm schema={schema} onSubmit={() => {}} aria-label="Form" />
      </DictionaryProvider>,
    )
    expect(await screen.findByRole('button', { name: arabicForm.submit }, { timeout: 20_000 })).toBeTruthy()
    expect(screen.queryByText(englishForm.submit)).toBeNull()
  })

  it('are in each language as many, and none is English', () => {
    const words = (strings: object): string[] =>
      Object.values(strings).flatMap((word: unknown) =>
        typeof word === 'string'
          ? [word]
          : typeof word === 'function'
            ? [String((word as (...given: unknown[]) => unknown)('a', 3))]
            : words(word as object),
      )
    const english = words(englishForm)
    for (const strings of [germanForm, arabicForm, chineseForm]) {
      expect(words(strings)).toHaveLength(english.length)
      expect(words(strings).filter((word) => word !== 'Schema' && english.includes(word))).toEqual([])
    }
  })

  it.each([
    [englishForm, 'Correct 2 fields', 'Enter 0.1 or more.'],
    [germanForm, '2 Felder korrigieren', 'Gib 0,1 oder mehr ein.'],
    [arabicForm, 'صحّح حقلين', 'أدخل 0.1 أو أكثر.'],
    [chineseForm, '请更正 2 处', '请输入不小于 0.1 的数。'],
  ])('count and write numbers as their language does', (strings, summary, minimum) => {
    expect(strings.summary(2)).toBe(summary)
    expect(strings.limits.minimum(0.1)).toBe(minimum)
  })
})
