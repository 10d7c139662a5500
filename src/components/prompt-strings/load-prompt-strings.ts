import type { PromptStrings } from './prompt-strings.ts'

const loaders: Readonly<Record<string, () => Promise<PromptStrings>>> = {
  ar: async () => (await import('./arabic-prompts.ts')).arabicPrompts,
  de: async () => (await import('./german-prompts.ts')).germanPrompts,
  zh: async () => (await import('./chinese-prompts.ts')).chinesePrompts,
}

/** What fetches the strings of a language. Undefined: there are none beyond the English ones. */
export function promptStringsLoader(lang: string | undefined): (() => Promise<PromptStrings>) | undefined {
  const primary = lang?.split('-')[0]?.toLowerCase() ?? ''
  return Object.hasOwn(loaders, primary) ? loaders[primary] : undefined
}
