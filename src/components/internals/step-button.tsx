import type { ReactNode } from 'react'
import { keepFocus } from './keep-focus.ts'

interface StepButtonProps {
  /** Whatever goes wrong with what it promises shows in the snapshot. */
  readonly onPress: () => unknown
  readonly children: ReactNode
}

/** The next step at the end of a row, gone when it was used: the keyboard goes on in the transcript. */
export function StepButton({ onPress, children }: StepButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="cs-button"
      data-kind="link"
      onClick={(event) => {
        keepFocus(event)
        Promise.resolve(onPress()).catch(() => {})
      }}
    >
      {children}
    </button>
  )
}
