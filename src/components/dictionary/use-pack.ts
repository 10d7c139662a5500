import { useSyncExternalStore } from 'react'
import type { LanguagePack } from '../../strings/language-pack.ts'
import type { OnDemand } from '../on-demand.ts'
import { never, nothing, onDemand } from '../on-demand.ts'
import { useDictionary } from './dictionary-context.tsx'

const packs: ReadonlyMap<string | undefined, OnDemand<LanguagePack>> = new Map([
  ['ar', onDemand(async () => (await import('../../strings/arabic-pack.ts')).arabicPack)],
  ['de', onDemand(async () => (await import('../../strings/german-pack.ts')).germanPack)],
  ['zh', onDemand(async () => (await import('../../strings/chinese-pack.ts')).chinesePack)],
])

/** The pack of a language tag such as `de-AT`. Undefined: there is none, and English needs none. */
export function packOf(lang: string | undefined): OnDemand<LanguagePack> | undefined {
  return packs.get(lang?.split('-')[0]?.toLowerCase())
}

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
