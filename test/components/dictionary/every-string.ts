import { AgentError } from '../../../src/base/agent-error.ts'
import type { Dictionary } from '../../../src/strings/dictionary.ts'
import { defaultStrings } from '../../../src/strings/dictionary.ts'
import { arabicPack } from '../../../src/strings/arabic-pack.ts'
import { chinesePack } from '../../../src/strings/chinese-pack.ts'
import { germanPack } from '../../../src/strings/german-pack.ts'
import type { LanguagePack } from '../../../src/strings/language-pack.ts'
import { arabic, chinese, englishPack, german } from '../../../src/locales.ts'

/** Every string that a component may show: those of the dictionary and those of the pack. */
export type EveryString = Dictionary & LanguagePack

export const ENGLISH: EveryString = {
  ...defaultStrings,
  ...englishPack,
}

export const OTHERS = {
  german: { ...german, ...germanPack },
  arabic: { ...arabic, ...arabicPack },
  chinese: { ...chinese, ...chinesePack },
} as const satisfies Readonly<Record<string, EveryString>>

const ERRORS = [400, 503].map(
  (status) =>
    new AgentError({
      kind: 'runtime',
      code: 'http_error',
      severity: 'FATAL',
      message: '§',
      status,
      retryAfterMs: status * 100,
    }),
)

type Word = string | ((...given: unknown[]) => unknown)

/** The words below a group by their path, such as `composer.send`. */
function wordsOf(group: object, path = ''): [path: string, word: Word][] {
  return Object.entries(group).flatMap(([name, word]: [string, unknown]): [string, Word][] => {
    const here = path === '' ? name : `${path}.${name}`
    if (here === 'language' || here === 'threads.lang') return []
    if (typeof word === 'object' && word !== null) return wordsOf(word, here)
    // A dictionary holds strings, functions and groups of them.
    return [[here, word as Word]]
  })
}

/** Numbers of every plural of the four languages, and times up to hours. */
export const COUNTS: readonly number[] = [0, 1, 2, 3, 7, 11, 100, 1530, 150_000, 10_000_000]

const TAKES_LISTS: ReadonlySet<string> = new Set(['tasks.agent.notCovered'])

/** What a word is for numbers small and large; an error message, for errors of every kind. */
function formsOf(path: string, word: Word): readonly string[] {
  if (typeof word === 'string') return [word]
  if (!path.includes('rrorMessages.')) {
    return COUNTS.map((number) => String(TAKES_LISTS.has(path) ? word([number]) : word(number, number + 1)))
  }
  return ERRORS.flatMap((error) =>
    [0, 1, 5].flatMap((attempts) => Object.values(word(error, attempts) as object).map(String)),
  )
}

/** Each string of a language with all its forms. */
export function stringsOf(language: EveryString): ReadonlyMap<string, readonly string[]> {
  return new Map(wordsOf(language).map(([path, word]) => [path, formsOf(path, word)]))
}

const SPOKEN = [
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'title',
  'placeholder',
  'alt',
]

/** Texts and attributes that a user reads or hears. */
export function spokenIn(root: Element): ReadonlySet<string> {
  const found = new Set<string>()
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() !== null) found.add(walker.currentNode.textContent?.trim() ?? '')
  for (const element of root.querySelectorAll(SPOKEN.map((name) => `[${name}]`).join()))
    for (const name of SPOKEN) found.add(element.getAttribute(name)?.trim() ?? '')
  return found
}

/** A test for texts that English has and the other language does not: strings with any numbers and names, and clocks. */
export function englishOnly(other: keyof typeof OTHERS): (text: string) => boolean {
  const translated = stringsOf(OTHERS[other])
  const patterns: RegExp[] = []
  for (const [path, forms] of stringsOf(ENGLISH))
    for (const [at, form] of forms.entries()) {
      if (form === translated.get(path)?.[at] || !/[a-z]{3}/i.test(form)) continue
      const pattern = form.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\d[\d,\\.]*/g, '.+')
      patterns.push(new RegExp(`^${pattern}$`))
    }
  return (text) => /\d\s?[AP]M\b/.test(text) || patterns.some((pattern) => pattern.test(text))
}
