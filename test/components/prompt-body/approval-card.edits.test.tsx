// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApprovalCard } from '../../../src/components/prompt-body/approval-card.tsx'
import type { Prompt } from '../../../src/seam/prompt.ts'
import '../show.tsx'
import type { FakeControls } from './fake-controls.ts'
import { createFakeControls, optionOf, promptOf } from './fake-controls.ts'

const EDITABLE = promptOf({
  subject: {
    name: 'send_mail',
    input: { to: 'ann@example.org', text: 'It is dry.', internal: [1, 2] },
    editable: { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } }, required: ['to'] },
    digest: 'd-1',
  },
  options: [optionOf('allow-once', 'Allow', { id: 'allow' }), optionOf('reject-once', 'Deny', { id: 'deny' })],
})

beforeEach(() => sessionStorage.clear())

function show(prompt: Prompt = EDITABLE, change: object = {}): FakeControls {
  const fake = createFakeControls(prompt)
  const { used: _used, ...props } = fake
  render(<ApprovalCard {...props} {...change} />)
  return fake
}

const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }))
const values = (): (string | null | undefined)[] =>
  screen.getAllByRole('term').map((term) => term.nextElementSibling?.textContent)

/** Fills in the form and goes to the list of changes. */
async function edit(label: RegExp, value: string): Promise<void> {
  press('Edit')
  fireEvent.change(await screen.findByRole('textbox', { name: label }), { target: { value } })
  press('Review changes')
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
}

describe('an approval whose input may be changed', () => {
  it('shows the changes before they can be allowed, and allows the input as it was changed', async () => {
    const { used } = show()
    await edit(/^to/, 'bob@example.org')
    expect(used).toEqual([])
    expect(screen.getByRole('deletion').textContent).toContain('ann@example.org')
    expect(screen.getByRole('insertion').textContent).toContain('bob@example.org')
    expect(values().slice(0, 2)).toEqual(['send_mail', 'bob@example.org'])
    press('Allow once')
    const input = { to: 'bob@example.org', text: 'It is dry.', internal: [1, 2] }
    expect(used).toEqual([['choose', 'allow', input]])
  })

  it('offers nothing to allow while it is being changed', async () => {
    show()
    press('Edit')
    await screen.findByRole('textbox', { name: /^to/ })
    expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull()
    expect(screen.queryByRole('textbox', { name: /internal/ })).toBeNull()
  })

  it('is as it was when the user goes back, discards the changes, or changes nothing', async () => {
    const { used } = show()
    press('Edit')
    fireEvent.change(await screen.findByRole('textbox', { name: /^to/ }), { target: { value: 'eve@example.org' } })
    press('Cancel')
    expect(values()).toContain('ann@example.org')
    await edit(/^to/, 'bob@example.org')
    press('Discard changes')
    expect(screen.queryByRole('insertion')).toBeNull()
    expect(document.activeElement?.className).toContain('cs-decision')
    await edit(/^to/, 'ann@example.org')
    expect(screen.queryByRole('insertion')).toBeNull()
    press('Allow once')
    expect(used).toEqual([['choose', 'allow']])
  })

  it('begins again with what was changed before', async () => {
    show()
    await edit(/^to/, 'bob@example.org')
    press('Edit')
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: /^to/ })).value).toBe('bob@example.org')
  })

  it('takes no changes that do not fit', async () => {
    const { used } = show()
    press('Edit')
    fireEvent.change(await screen.findByRole('textbox', { name: /^to/ }), { target: { value: '' } })
    await act(async () => press('Review changes'))
    expect(screen.getByRole('textbox', { name: /^to/ }).getAttribute('aria-invalid')).toBe('true')
    expect(screen.queryByRole('insertion')).toBeNull()
    expect(used).toEqual([])
  })

  it('shows what the agent refused of the changes at its field', async () => {
    const errors = [{ path: '/to', message: 'Nobody has this address.' }]
    show({ ...EDITABLE, errors })
    press('Edit')
    await screen.findByRole('textbox', { name: /^to/ })
    expect(screen.getAllByText(/Nobody has this address/).length).toBeGreaterThan(0)
  })

  it('gives no answer while it is not ready', async () => {
    const { used } = show(EDITABLE, { isReady: false })
    await edit(/^to/, 'bob@example.org')
    press('Allow once')
    expect(used).toEqual([])
  })

  it('shows characters that nobody sees in a change, too', async () => {
    show()
    await edit(/^to/, 'bob\u200B@example.org')
    expect(screen.getByRole('insertion').textContent).toContain('bobU+200B@example.org')
  })
})

it('an input that may not be changed has no button for it', () => {
  const { editable: _editable, ...subject } = EDITABLE.subject ?? { name: '', input: 1, digest: '' }
  show({ ...EDITABLE, subject })
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
})
