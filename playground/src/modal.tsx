import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'

interface ModalProps {
  /** `sheet`: comes up from the lower edge where there is no space beside the chat. `dialog`: in the middle. */
  readonly kind: 'sheet' | 'dialog'
  readonly label: string
  readonly open: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A `<dialog>` as open as `open` says; the browser holds and returns the focus. Escape and a press next to it close it. */
export function Modal({ kind, label, open, onClose, children }: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element === null || element.open === open) return
    if (open) element.showModal()
    else element.close()
  }, [open])
  return (
    // Escape is the browser's own; the press is for the ground around.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className="pg-modal"
      data-kind={kind}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {open && <div className="pg-modal-body">{children}</div>}
    </dialog>
  )
}
