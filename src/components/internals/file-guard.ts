import type { DOMAttributes, DragEvent } from 'react'

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
