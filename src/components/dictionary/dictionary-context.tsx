'use client'
import type { ReactNode } from 'react'
import { createContext, useContext, useMemo } from 'react'
import type { Dictionary, DictionaryOverrides } from '../../strings/dictionary.ts'
import { defaultStrings, withStrings } from '../../strings/dictionary.ts'

const DictionaryContext = createContext<Dictionary>(defaultStrings)

export interface DictionaryProviderProps {
  /** Strings that replace those of the provider above. Keep the object stable: a new one re-renders every part. Absent: none. */
  readonly strings?: DictionaryOverrides | undefined
  /** Components that use these strings. Absent: none. */
  readonly children?: ReactNode
}

/**
 * Renders its children. Provides the dictionary: strings or a language for all components inside. Those for prompts, threads, tasks
 * and jobs fetch their strings in the dictionary's language, which are one chunk.
 *
 * @example
 * ```tsx
 * import { Chat, DictionaryProvider } from 'capstan/components'
 * import { german } from 'capstan/locales'
 *
 * export const App = () => (
 *   <DictionaryProvider strings={german}>
 *     <Chat />
 *   </DictionaryProvider>
 * )
 * ```
 */
export function DictionaryProvider({ strings, children }: DictionaryProviderProps): ReactNode {
  const around = useContext(DictionaryContext)
  const dictionary = useMemo(() => withStrings(around, strings), [around, strings])
  return <DictionaryContext.Provider value={dictionary}>{children}</DictionaryContext.Provider>
}

/**
 * Reads the nearest dictionary. English without a provider.
 *
 * @example
 * ```tsx
 * import { useDictionary } from 'capstan/components'
 *
 * export function Send() {
 *   return <button>{useDictionary().composer.send}</button>
 * }
 * ```
 */
export function useDictionary(): Dictionary {
  return useContext(DictionaryContext)
}

/** The `lang` of the chat around. */
export const LangContext = createContext<string | undefined>(undefined)

/** `lang` for the root of a part: the language of its dictionary. Undefined where the chat around has it, and for the language of the page. */
export function useLang(): string | undefined {
  const { lang } = useDictionary().language
  return useContext(LangContext) === lang ? undefined : lang
}
