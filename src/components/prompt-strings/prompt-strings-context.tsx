'use client'
import type { ReactNode } from 'react'
import { createContext, useContext, useEffect, useState } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { englishPrompts } from './english-prompts.ts'
import { promptStringsLoader } from './load-prompt-strings.ts'
import type { PromptStrings } from './prompt-strings.ts'

const PromptStringsContext = createContext<PromptStrings | undefined>(undefined)

export interface PromptStringsProviderProps {
  /** @default those of the dictionary's language, fetched on demand; English for a language that has none */
  readonly strings?: PromptStrings | undefined
  /** Components that use these strings. Absent: none. */
  readonly children?: ReactNode
}

interface Loaded {
  readonly lang: string | undefined
  readonly strings: PromptStrings
}

/**
 * Renders its children with the words of prompts. While those of another language are being fetched it renders nothing, so that no
 * one reads a question in two languages.
 *
 * @example
 * ```tsx
 * import { PromptDock, PromptStringsProvider, germanPrompts } from 'capstan/prompts'
 *
 * export const Questions = () => (
 *   <PromptStringsProvider strings={germanPrompts}>
 *     <PromptDock />
 *   </PromptStringsProvider>
 * )
 * ```
 */
export function PromptStringsProvider({ strings: given, children }: PromptStringsProviderProps): ReactNode {
  const { lang } = useDictionary().language
  const load = given === undefined ? promptStringsLoader(lang) : undefined
  const [loaded, setLoaded] = useState<Loaded>()
  useEffect(() => {
    if (load === undefined) return
    let isStale = false
    const use = (strings: PromptStrings): void => {
      if (!isStale) setLoaded({ lang, strings })
    }
    // Words in English are better than no way to answer.
    load().then(use, () => use(englishPrompts))
    return () => void (isStale = true)
  }, [load, lang])
  const strings = given ?? (load === undefined ? englishPrompts : loaded?.lang === lang ? loaded?.strings : undefined)
  if (strings === undefined) return null
  return <PromptStringsContext.Provider value={strings}>{children}</PromptStringsContext.Provider>
}

/**
 * The words of prompts of the nearest `PromptStringsProvider`; English without one.
 *
 * @example
 * ```tsx
 * import { usePromptStrings } from 'capstan/prompts'
 *
 * export function Decline() {
 *   return <button>{usePromptStrings().card.decline}</button>
 * }
 * ```
 */
export function usePromptStrings(): PromptStrings {
  return useContext(PromptStringsContext) ?? englishPrompts
}
