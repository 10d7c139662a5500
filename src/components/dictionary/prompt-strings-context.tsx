'use client'
import type { ReactNode } from 'react'
import { createContext, useContext } from 'react'
import { usePack } from './use-pack.ts'
import { englishPrompts } from '../../strings/prompts.ts'
import type { PromptStrings } from '../../strings/prompts.ts'

const PromptStringsContext = createContext<PromptStrings | undefined>(undefined)

export interface PromptStringsProviderProps {
  /** @default those of the provider around, else of the dictionary's language, fetched on demand; English for a language that has none */
  readonly strings?: PromptStrings | undefined
  /** Components that use these strings. Absent: none. */
  readonly children?: ReactNode
}

/**
 * Renders its children with the words of prompts. While those of another language are being fetched it renders nothing, so that no
 * one reads a question in two languages.
 *
 * @example
 * ```tsx
 * import { PromptDock, PromptStringsProvider } from 'capstan/components'
 * import { germanPack } from 'capstan/locales'
 *
 * export const Questions = () => (
 *   <PromptStringsProvider strings={germanPack.prompts}>
 *     <PromptDock />
 *   </PromptStringsProvider>
 * )
 * ```
 */
export function PromptStringsProvider({ strings: given, children }: PromptStringsProviderProps): ReactNode {
  const around = useContext(PromptStringsContext)
  const own = given ?? around
  if (usePack('prompts', englishPrompts, own) === undefined) return null
  return <PromptStringsContext.Provider value={own}>{children}</PromptStringsContext.Provider>
}

/**
 * The words of prompts of the nearest `PromptStringsProvider`, else of the dictionary's language; in English while those are fetched.
 *
 * @example
 * ```tsx
 * import { usePromptStrings } from 'capstan/components'
 *
 * export function Decline() {
 *   return <button>{usePromptStrings().card.decline}</button>
 * }
 * ```
 */
export function usePromptStrings(): PromptStrings {
  return usePack('prompts', englishPrompts, useContext(PromptStringsContext)) ?? englishPrompts
}
