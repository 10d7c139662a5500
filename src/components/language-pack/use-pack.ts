import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import type { LanguagePack } from './language-pack.ts'
import { packOf } from './packs.ts'

const never = (): (() => void) => () => {}
const nothing = (): undefined => undefined

/**
 * Strings of a component in the language of the dictionary, fetched on demand. Undefined while they are fetched, so that nobody reads in
 * two languages. English for a language without a pack, and while the pack cannot be fetched: the next component to need it tries again.
 *
 * @param given strings from a prop or a provider, which win
 */
export function usePack<Name extends keyof LanguagePack>(
  name: Name,
  english: LanguagePack[Name],
  given: LanguagePack[Name] | undefined,
): LanguagePack[Name] | undefined {
  const pack = packOf(useDictionary().language.lang)
  const isWanted = pack !== undefined && given === undefined
  const snapshot = useCallback(
    (): LanguagePack[Name] | undefined =>
      pack === undefined ? english : (pack.get()?.[name] ?? (pack.hasFailed() ? english : undefined)),
    [pack, name, english],
  )
  const loaded = useSyncExternalStore(isWanted ? pack.subscribe : never, snapshot, isWanted ? nothing : snapshot)
  return given ?? loaded
}

/** Fetches the strings of what the page does not show yet: later there may be no connection. */
export function usePreloadedPack(): void {
  const pack = packOf(useDictionary().language.lang)
  useEffect(() => void pack?.load().catch(() => {}), [pack])
}
