'use client'
import type { ReactNode } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'

/** Visual hint of what the keys do; hidden on touch screens. */
export function KeyHint(): ReactNode {
  const strings = useDictionary().composer
  return (
    <p className="cs-hint" aria-hidden="true">
      <kbd className="cs-key">{strings.keyEnter}</kbd>
      <span>{` ${strings.hintSends} · `}</span>
      <kbd className="cs-key">{strings.keyShift}</kbd>
      <span>+</span>
      <kbd className="cs-key">{strings.keyEnter}</kbd>
      <span>{` ${strings.hintNewLine} · `}</span>
      <kbd className="cs-key">{strings.keyEscape}</kbd>
      <span>{` ${strings.hintStops}`}</span>
    </p>
  )
}
