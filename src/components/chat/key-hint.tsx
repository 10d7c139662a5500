'use client'
import type { ReactNode } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'

/** Visual hint of what the keys do; hidden on touch screens. */
export function KeyHint(): ReactNode {
  const strings = useDictionary().composer
  return (
    <p className="cs-hint" aria-hidden="true">
      <kbd className="cs-key">{strings.keyEnter}</kbd> {strings.hintSends} ·{' '}
      <kbd className="cs-key">{strings.keyShift}</kbd>+<kbd className="cs-key">{strings.keyEnter}</kbd>{' '}
      {strings.hintNewLine} · <kbd className="cs-key">{strings.keyEscape}</kbd> {strings.hintStops}
    </p>
  )
}
