import { useSyncExternalStore } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { never, nothing } from '../on-demand/on-demand.ts'
import type { LanguagePack } from './language-pack.ts'
import { packOf } from './packs.ts'

/**
 * The pack of the dictionary's language, which is fetched as soon as a component uses this. Undefined until it is here. Null where English
 * is shown: the language has no pack, or it could not be fetched. The next component tries again.
 */
export function useLanguagePack(): LanguagePack | null | undefined {
  const pack = packOf(useDictionary().language.lang)
  const read = (): LanguagePack | null | undefined =>
    pack ? (pack.get() ?? (pack.hasFailed() ? null : undefined)) : null
  return useSyncExternalStore(pack?.subscribe ?? never, read, pack ? nothing : read)
}

/**
 * Strings of a component in the language of the dictionary. Undefined while they are fetched, so that nobody reads in two languages.
 *
 * @param given strings from a prop or a provider, which win
 */
export function usePack<Name extends keyof LanguagePack>(
  name: Name,
  english: LanguagePack[Name],
  given: LanguagePack[Name] | undefined,
): LanguagePack[Name] | undefined {
  const pack = useLanguagePack()
  return given ?? (pack === null ? english : pack?.[name])
}
