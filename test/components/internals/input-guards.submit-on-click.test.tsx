// @vitest-environment jsdom
import { fireEvent, render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { submitOnClick } from '../../../src/components/internals/input-guards.ts'

function renderForm(content: { readonly required?: boolean; readonly noValidate?: boolean }) {
  const submit = vi.fn((event: { preventDefault(): void }) => event.preventDefault())
  const { getByRole } = render(
    <form onSubmit={submit} noValidate={content.noValidate}>
      <input required={content.required} />
      <button type="submit" onClick={submitOnClick}>
        Send
      </button>
    </form>,
  )
  return { submit, button: getByRole('button') }
}

// The real thing, a sandboxed frame without `allow-forms`, is in test/e2e/opaque-origin.test.ts.
it('submitOnClick dispatches the submit event itself, once, and leaves nothing to the browser', () => {
  const { submit, button } = renderForm({})
  // False: the default was prevented.
  expect(fireEvent.click(button)).toBe(false)
  expect(submit).toHaveBeenCalledTimes(1)
})

it('submitOnClick submits no invalid form', () => {
  const invalid = renderForm({ required: true })
  fireEvent.click(invalid.button)
  expect(invalid.submit).not.toHaveBeenCalled()
})

it('submitOnClick submits a form that is not validated', () => {
  const { submit, button } = renderForm({ required: true, noValidate: true })
  fireEvent.click(button)
  expect(submit).toHaveBeenCalledTimes(1)
})
