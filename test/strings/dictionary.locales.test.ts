import { describe, expect, it } from 'vitest'
import { AgentError } from '../../src/base/agent-error.ts'
import { defaultStrings as englishStrings } from '../../src/strings/dictionary.ts'
import { englishThreads } from '../../src/strings/threads.ts'
import { arabic, chinese, english, german } from '../../src/locales.ts'
import { arabicThreads } from '../../src/strings/arabic-pack.ts'
import { chineseThreads } from '../../src/strings/chinese-pack.ts'
import { germanThreads } from '../../src/strings/german-pack.ts'

/** Words that no user knows, or that this project uses in its own sense; what to write instead. */
const BANNED: readonly [word: RegExp, use: string][] = [
  [/(?<!\bnew )\bline\b/i, 'connection'],
  [/\bdoors?\b/i, 'entry point'],
  [/\bverbs?\b/i, 'action'],
  [/\b(?:the person|the reader|whoever)\b/i, 'you'],
  [/\bthe kit\b/i, 'the app'],
  [/\b(?:keeps?(?! saving)|kept)\b/i, 'saved'],
  [/\b(?:what came|what has come|so far|nothing came)\b/i, 'the response'],
  [/\bin (?:the )?place of\b/i, 'replaces'],
  [/\bhears? of\b/i, 'is notified'],
  [/\bstands?\b/i, 'is, or appears'],
  [/\b(?:dropped|taken for)\b/i, 'lost'],
  [/\b(?:anew|at once|by itself)\b/i, 'again, immediately, automatically'],
  [/\bthreads?\b|session_id/i, 'conversation'],
  [/\bmarks?\b/i, 'citation'],
  [/\b(?:broke off|begins? again|began again)\b/i, 'was interrupted, started over'],
  [/\b(?:answers?|agents?)\b/i, 'response, assistant'],
  [/\b(?:cannot|could not|was not|you are|do not)\b/i, 'the contraction: can’t, couldn’t, you’re'],
  [/'/, 'the apostrophe ’'],
]
const WHAT_TO_DO =
  'Each line names a string of the English dictionary, the word in it that is banned, and what to write instead.'

const ERRORS = [400, 503].map(
  (status) => new AgentError({ kind: 'runtime', code: 'http_error', severity: 'FATAL', message: '§', status }),
)

/** The kind of every string below a group, by its path: `composer.send`. */
function kindsOf(group: object, path = ''): string[] {
  return Object.entries(group).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? kindsOf(value, `${path}${name}.`) : [`${path}${name}`],
  )
}

/** Every string a dictionary can say, with its path: functions are called with numbers, and those of errors with errors. */
function stringsOf(group: object, path = ''): [path: string, said: string][] {
  return Object.entries(group).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const here = `${path}${name}`
    if (typeof value === 'string') return [[here, value]]
    if (typeof value === 'object' && value !== null) return stringsOf(value, `${here}.`)
    if (typeof value !== 'function') return []
    // A dictionary holds strings, functions and groups of them.
    const say = value as (...given: unknown[]) => unknown
    if (!/rrorMessages\./.test(here)) return [1, 2].map((number) => [here, String(say(number, number + 1))])
    return ERRORS.flatMap((error) =>
      [0, 1, 4].flatMap((attempts) =>
        Object.values(say(error, attempts) as object).map((said): [string, string] => [here, String(said)]),
      ),
    )
  })
}

function bannedIn(strings: readonly (readonly [path: string, said: string])[]): string[] {
  return strings.flatMap(([path, said]) =>
    BANNED.flatMap(([word, use]) => {
      const found = word.exec(said)
      return found ? [`${path}: «${said}» has «${found[0]}»: ${use}`] : []
    }),
  )
}

/** Error messages are objects or functions: their code is the key. */
const keysOf = (dictionary: typeof english): string[] =>
  [
    ...new Set(kindsOf(dictionary).map((path) => path.replace(/((?:agentE|e)rrorMessages\.\w+)\.\w+$/, '$1'))),
  ].toSorted()

describe('the four dictionaries', () => {
  it('have the same keys', () => {
    expect(keysOf(english).length).toBeGreaterThan(200)
    for (const other of [german, arabic, chinese]) expect(keysOf(other)).toEqual(keysOf(english))
  })

  it('have the same keys in the list of conversations', () => {
    // English is shown on pages of any language, so its times are the browser's.
    const keys = kindsOf({ lang: undefined, ...englishThreads }).toSorted()
    for (const other of [germanThreads, arabicThreads, chineseThreads]) expect(kindsOf(other).toSorted()).toEqual(keys)
  })
})

describe('the English dictionary', () => {
  it('uses the words a user knows', () => {
    expect(bannedIn([...stringsOf(englishStrings), ...stringsOf(englishThreads, 'threads.')]), WHAT_TO_DO).toEqual([])
  })

  it('would be caught with a banned word in a string or in what a function says', () => {
    expect(bannedIn(stringsOf({ a: 'The line is lost', b: { c: (n: number) => `${n} kept` } }))).toEqual([
      'a: «The line is lost» has «line»: connection',
      'b.c: «1 kept» has «kept»: saved',
      'b.c: «2 kept» has «kept»: saved',
    ])
  })
})
