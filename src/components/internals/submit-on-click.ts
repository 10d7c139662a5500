import type { MouseEvent } from 'react'

/**
 * Click handler of a submit button that dispatches the `submit` event of its form. Browsers dispatch none in a sandboxed frame without
 * `allow-forms`, neither for a click nor for Enter in a field, which clicks the first submit button.
 */
export function submitOnClick(event: MouseEvent<HTMLButtonElement>): void {
  const submitter = event.currentTarget
  const { form } = submitter
  if (event.defaultPrevented || form === null) return
  event.preventDefault()
  if (form.noValidate || form.reportValidity())
    form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter }))
}
