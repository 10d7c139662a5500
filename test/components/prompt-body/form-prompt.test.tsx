// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { FormPrompt } from '../../../src/components/prompt-body/form-prompt.tsx'
import type { Prompt } from '../../../src/seam/prompt.ts'
import '../show.tsx'
import type { FakeControls } from './fake-controls.ts'
import { createFakeControls, PROMPTS } from './fake-controls.ts'

beforeEach(() => sessionStorage.clear())

function show(prompt: Prompt, change: object = {}): FakeControls {
  const fake = createFakeControls(prompt)
  const { used: _used, ...props } = fake
  render(<FormPrompt {...props} decline={<button type="button">Decline</button>} {...change} />)
  return fake
}

const width = (): Promise<HTMLInputElement> => screen.findByRole<HTMLInputElement>('spinbutton', { name: /Gauge 12/ })
const enter = async (value: string): Promise<void> => {
  fireEvent.change(await width(), { target: { value } })
}

describe('a form that the agent asks for', () => {
  it('begins with the values of the agent, takes no focus, and sends what was entered', async () => {
    const { used } = show({ ...PROMPTS.form, initial: { gauge12: 30 } })
    expect((await width()).value).toBe('30')
    expect(document.activeElement).toBe(document.body)
    await enter('38')
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(used).toEqual([['submit', { gauge12: 38 }]]))
  })

  it('sends nothing that does not fit', async () => {
    const { used } = show(PROMPTS.form)
    await enter('-1')
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(async () => expect((await width()).getAttribute('aria-invalid')).toBe('true'))
    expect(used).toEqual([])
  })

  it('sends nothing while it is not ready', async () => {
    const { used } = show(PROMPTS.form, { isReady: false })
    const later = show({ ...PROMPTS.form, id: 'later' })
    for (const input of await screen.findAllByRole('spinbutton', { name: /Gauge 12/ }))
      fireEvent.change(input, { target: { value: '38' } })
    // They are checked in this order.
    for (const button of screen.getAllByRole('button', { name: 'Send' })) fireEvent.click(button)
    await waitFor(() => expect(later.used).toHaveLength(1))
    expect(used).toEqual([])
  })

  it('sends what was submitted while it was ready, though it has moved by the time it is checked', async () => {
    const { used, ...props } = createFakeControls(PROMPTS.form)
    const shown = render(<FormPrompt {...props} />)
    await enter('38')
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    shown.rerender(<FormPrompt {...props} isReady={false} />)
    await waitFor(() => expect(used).toEqual([['submit', { gauge12: 38 }]]))
  })

  it('shows what the agent refused at its field', async () => {
    show({ ...PROMPTS.form, errors: [{ path: '/gauge12', message: 'No gauge is so wide.' }] })
    expect((await width()).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getAllByText(/No gauge is so wide/).length).toBeGreaterThan(0)
  })

  it('keeps what was entered, by the id of the prompt', async () => {
    show(PROMPTS.form)
    await enter('38')
    await waitFor(() => expect(sessionStorage.length).toBe(1))
    cleanup()
    show(PROMPTS.form)
    await waitFor(async () => expect((await width()).value).toBe('38'))
    cleanup()
    show({ ...PROMPTS.form, id: 'another' })
    expect((await width()).value).toBe('')
  })

  it('can be declined', async () => {
    show(PROMPTS.form)
    expect(await screen.findByRole('button', { name: 'Decline' })).toBeTruthy()
  })

  it('can only be declined without a schema', () => {
    const { schema: _schema, ...prompt } = PROMPTS.form
    show(prompt)
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Decline'])
  })
})
