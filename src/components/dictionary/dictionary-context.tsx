'use client'
import type { ReactNode } from 'react'
import { createContext, useContext, useMemo } from 'react'
import type { Dictionary, DictionaryOverrides } from './dictionary.ts'
import { english, withWords } from './dictionary.ts'

const DictionaryContext = createContext<Dictionary>(english)

export interface DictionaryProviderProps {
  /** Words that replace those around. Keep the object stable: a new one re-renders every part. */
  readonly words?: DictionaryOverrides | undefined
  /** What speaks with these words. */
  readonly children?: ReactNode
}

/** Gives other words, or another language, to all parts inside. */
export function DictionaryProvider({ words, children }: DictionaryProviderProps): ReactNode {
  const around = useContext(DictionaryContext)
  const dictionary = useMemo(() => withWords(around, words), [around, words])
  return <DictionaryContext.Provider value={dictionary}>{children}</DictionaryContext.Provider>
}

/** The words in force here. English without a provider. */
export function useDictionary(): Dictionary {
  return useContext(DictionaryContext)
}
