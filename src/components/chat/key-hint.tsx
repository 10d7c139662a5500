'use client'
import type { ReactNode } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'

/** One line of what the keys do, for those who see it; out of sight on touch screens. */
export function KeyHint(): ReactNode {
  const words = useDictionary().composer
  return (
    <p className="cs-hint" aria-hidden="true">
      <kbd className="cs-key">{words.keyEnter}</kbd> {words.hintSends} · <kbd className="cs-key">{words.keyShift}</kbd>{' '}
      <kbd className="cs-key">{words.keyEnter}</kbd> {words.hintNewLine} · <kbd className="cs-key">{words.keyEscape}</kbd> {words.hintStops}
    </p>
  )
}
