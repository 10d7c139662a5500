import type { DOMAttributes, DragEvent, KeyboardEvent, MouseEvent } from 'react'
import { hostsOf, rootsOf } from '../../base/node-page.ts'

type DragHandlers<Target> = Pick<DOMAttributes<Target>, 'onDragOver' | 'onDrop'>

/**
 * The drag handlers of an element, so that the browser does not open a file that is dropped on it and leave the page.
 * Whatever else on the page accepts the file still gets it, and text is dragged as ever.
 *
 * @param own handlers that the element has already; they are called first
 */
export function fileGuard<Target extends Element>(own: DragHandlers<Target>): DragHandlers<Target> {
  return {
    onDragOver(event) {
      own.onDragOver?.(event)
      refuseFiles(event)
    },
    onDrop(event) {
      own.onDrop?.(event)
      refuseFiles(event)
    },
  }
}

function refuseFiles({ nativeEvent: event, target }: DragEvent): void {
  const { dataTransfer } = event
  // Browsers put a file that is dropped on such an input into it.
  const isInput = event
    .composedPath()
    .some((place) => 'matches' in place && (place as Element).matches('input[type=file]'))
  if (!dataTransfer?.types.includes('Files') || isInput) return
  // Last of all listeners: a drop zone around the element, or that of the composer, has accepted the file by then.
  const refuse = (): void => {
    if (event.defaultPrevented) return
    event.preventDefault()
    dataTransfer.dropEffect = 'none'
  }
  ;(target as Node).ownerDocument?.defaultView?.addEventListener(event.type, refuse, { once: true })
}

/** Keys that belong to an input method, not to us. Safari ends a composition before it sends the key, as 229. */
export function isComposing(event: KeyboardEvent): boolean {
  // `keyCode` is deprecated and the only thing that tells in Safari.
  // oxlint-disable-next-line typescript/no-deprecated
  return event.nativeEvent.isComposing || event.keyCode === 229
}

const OPEN = '[popover]:not([popover=manual]):popover-open, dialog:modal'

/**
 * Whether something open above `part` closes by Escape: a popover or a dialog in the top layer that `part` is not in. It may be in
 * any shadow root of the page that is open or around `part`.
 */
export function isEscapeTaken(part: Element): boolean {
  const hosts = hostsOf(part)
  return rootsOf(part).some((root) => openIn(root).some((above) => !hosts.some((inner) => above.contains(inner))))
}

function openIn(root: ParentNode): readonly Element[] {
  const shadows = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
  return [...root.querySelectorAll(OPEN), ...shadows.flatMap(openIn)]
}

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
