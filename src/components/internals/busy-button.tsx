import { type ReactNode, useState } from 'react'

interface BusyButtonProps {
  readonly label: string
  /** Shown until what `onPress` promises has settled. @default label */
  readonly busyLabel?: string
  readonly onPress: () => unknown
}

/** Stays in place while the agent is being notified, and so does the focus. */
export function BusyButton({ label, busyLabel = label, onPress }: BusyButtonProps): ReactNode {
  const [isBusy, setIsBusy] = useState(false)
  const press = async (): Promise<void> => {
    if (isBusy) return
    setIsBusy(true)
    try {
      await onPress()
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <button
      type="button"
      className="cs-button"
      data-kind="plain"
      data-size="small"
      aria-disabled={isBusy || undefined}
      onClick={() => void press().catch(() => {})}
    >
      {isBusy ? busyLabel : label}
    </button>
  )
}
