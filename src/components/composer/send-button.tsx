'use client'
import type { MouseEvent, ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'

interface SendButtonProps {
  /** There is nothing to send. */
  readonly empty: boolean
  /** An answer runs: the button stops it. */
  readonly onStop?: (() => void) | undefined
}

/** Send and Stop: one button in one place, whose meaning changes. */
export function SendButton({ empty, onStop }: SendButtonProps): ReactNode {
  const words = useDictionary().composer
  const label = onStop ? words.stop : words.send
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    // The second half of a double click on Send falls on Stop, which stands in the same place.
    if (event.detail <= 1) onStop?.()
  }
  return (
    <button
      type={onStop ? 'button' : 'submit'}
      className="cs-send"
      aria-label={label}
      title={label}
      // Not `disabled`: a button that is switched off under the finger loses the focus.
      aria-disabled={!onStop && empty ? true : undefined}
      onClick={click}
    >
      <Icon name={onStop ? 'stop' : 'up'} size={20} />
    </button>
  )
}
