import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

/** Keeps a `<dialog>` as open as `open` says; the browser holds and returns the focus. */
export function useModal(open: boolean): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element === null || element.open === open) return
    if (open) element.showModal()
    else element.close()
  }, [open])
  return dialog
}
