import { type ReactNode, useState } from 'react'

interface BusyButtonProps {
  readonly label: string
  /** Shown until what `onPress` promises has settled. @default label */
  readonly busyLabel?: string
  readonly onPress: () => unknown
}

/** Stays where it is while the agent is being told, so that the focus does, too. */
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
