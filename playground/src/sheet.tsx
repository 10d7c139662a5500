import type { ReactNode } from 'react'
import { useModal } from './use-modal.ts'

interface SheetProps {
  readonly label: string
  readonly open: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A panel that comes up from the lower edge where there is no room beside the chat. */
export function Sheet({ label, open, onClose, children }: SheetProps): ReactNode {
  const dialog = useModal(open)
  return (
    // A click on the ground around the sheet closes it; Escape does so by itself.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog ref={dialog} className="pg-sheet" aria-label={label} onClose={onClose} onClick={(event) => event.target === dialog.current && onClose()}>
      {open && <div className="pg-sheet-body">{children}</div>}
    </dialog>
  )
}
