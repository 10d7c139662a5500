import type { OnDemand } from '../on-demand/on-demand.ts'
import { onDemand } from '../on-demand/on-demand.ts'
import type { LanguagePack } from './language-pack.ts'

const packs: ReadonlyMap<string | undefined, OnDemand<LanguagePack>> = new Map([
  ['ar', onDemand(async () => (await import('./arabic-pack.ts')).arabicPack)],
  ['de', onDemand(async () => (await import('./german-pack.ts')).germanPack)],
  ['zh', onDemand(async () => (await import('./chinese-pack.ts')).chinesePack)],
])

/** The pack of a language tag such as `de-AT`. Undefined: there is none, and English needs none. */
export function packOf(lang: string | undefined): OnDemand<LanguagePack> | undefined {
  return packs.get(lang?.split('-')[0]?.toLowerCase())
}
