// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { AgentError } from '../src/base/agent-error.ts'
import { Chat } from '../src/components/chat.tsx'
import type { Dictionary } from '../src/strings/dictionary.ts'
import { defaultStrings } from '../src/strings/dictionary.ts'
import { arabic, chinese, english, german } from '../src/locales.ts'
import { createFakeChat } from './components/fake-chat.ts'
import { show } from './components/show.tsx'

type Word = string | ((...given: unknown[]) => unknown)

/** Every word of a dictionary, by its place: `composer.send`. */
function wordsOf(group: object, place = ''): [string, Word][] {
  return Object.entries(group).flatMap(([name, word]: [string, unknown]): [string, Word][] => {
    if (typeof word === 'object' && word !== null) return wordsOf(word, `${place}${name}.`)
    // A dictionary holds strings, functions and groups of them.
    return [[`${place}${name}`, word as Word]]
  })
}

/** What a word says for numbers small and large; for errors, which take more, everything they can say. */
function sayings(place: string, word: Word): string[] {
  if (typeof word === 'string') return [word]
  if (/^(agentE|e)rrorMessages\./.test(place)) {
    const errors = [400, 503].map(
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
    return errors.flatMap((error) =>
      [0, 1, 2, 5].flatMap((attempts) => Object.values(word(error, attempts) as object).map(String)),
    )
  }
  return [0, 1, 2, 3, 11, 100, 1530, 150_000].map((number) => String(word(number, number + 1)))
}

const ENGLISH = new Map(wordsOf(defaultStrings))
const OTHERS: [string, Dictionary][] = Object.entries({ arabic, chinese, german })

/** The same in these languages, on purpose: names of keys, of a standard, and loans everybody uses. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  german: [
    'chat.label',
    'message.system',
    'connection.offline',
    'composer.keyEnter',
    'composer.keyEscape',
    'thought.elapsed',
    'markdown.code',
    'notice.details',
    'error.details',
    'error.status',
  ],
  arabic: ['composer.keyEnter', 'composer.keyShift', 'composer.keyEscape', 'error.status'],
  chinese: ['composer.keyEnter', 'composer.keyShift', 'composer.keyEscape', 'error.status'],
}

describe.each(OTHERS)('the strings in %s', (name, dictionary) => {
  const words = new Map(wordsOf(dictionary))

  it('are all there', () => {
    const kinds = (of: ReadonlyMap<string, Word>): string[] =>
      [...of]
        .filter(([place]) => !place.startsWith('language.'))
        .map(([place]) => place)
        .toSorted()
    expect(kinds(words)).toEqual(kinds(ENGLISH))
  })

  it('are no English left over', () => {
    const same = [...ENGLISH].filter(
      ([place, word]) => sayings(place, word).join('|') === sayings(place, words.get(place) ?? '').join('|'),
    )
    // A share alone is not a word, and some languages write it like English.
    expect(same.map(([place]) => place).filter((place) => !place.endsWith('.share'))).toEqual(SAME[name])
  })

  it('say something whole for every number', () => {
    const broken = [...words].flatMap(([place, word]) =>
      sayings(place, word)
        .filter((said) => said.trim() !== said || said === '' || /undefined|NaN|#|\[object/.test(said))
        .map((said) => `${place}: ${said}`),
    )
    expect(broken).toEqual([])
  })

  it('keep the tone: no exclamation marks, and a full stop only where English has one', () => {
    const stop = /[.。]$/
    const wrong = [...words].flatMap(([place, word]) =>
      sayings(place, word).flatMap((said, at) => {
        const model = sayings(place, ENGLISH.get(place) ?? '')[at] ?? ''
        return /[!！]/.test(said) || stop.test(said) !== stop.test(model) ? [`${place}: ${said}`] : []
      }),
    )
    expect(wrong).toEqual([])
  })
})

describe('numbers and units', () => {
  it('are written as each language writes them', () => {
    expect(german.artifact.size(1530)).toBe('1,5 kB')
    expect(german.progress.share(0.42)).toBe('42\u00a0%')
    expect(german.data.more(12_345)).toBe('12.345 weitere nicht angezeigt')
    expect(german.reconnection.reconnectingIn(4200)).toBe('Verbindung wird in 4 s wiederhergestellt')
    expect(chinese.thought.doneFor(150_000)).toBe('思考了 3 分钟')
    expect(arabic.citations.confidence(0.9)).toContain('90')
  })

  it('use all six plurals of Arabic, and two of German', () => {
    expect([0, 1, 2, 3, 11, 100].map(arabic.media.count)).toEqual([
      'لا عناصر',
      'عنصر واحد',
      'عنصران',
      '3 عناصر',
      '11 عنصرًا',
      '100 عنصر',
    ])
    expect([0, 1, 2].map(german.media.images)).toEqual(['0 Bilder', '1 Bild', '2 Bilder'])
    expect(new Set([0, 1, 2, 3, 11, 100].map(arabic.data.moreCharacters)).size).toBe(6)
  })

  it('keep a name of another script whole inside of an Arabic sentence', () => {
    expect(arabic.composer.remove('report (1).pdf')).toBe('إزالة \u2068report (1).pdf\u2069')
  })
})

describe('a chat in a language', () => {
  const rootOf = (
    strings: Dictionary | undefined,
    given: { readonly lang?: string; readonly dir?: string } = {},
  ): HTMLElement => {
    show(createFakeChat(), <Chat chat={createFakeChat()} {...(strings && { strings })} {...given} />)
    return screen.getByRole('region', { name: (strings ?? defaultStrings).chat.label })
  }

  it.each([
    [arabic, 'ar', 'rtl'],
    [chinese, 'zh-Hans', 'ltr'],
    [english, 'en', 'ltr'],
    [german, 'de', 'ltr'],
  ] as const)('says on its root what it is ($1, $2)', (strings, lang, dir) => {
    const root = rootOf(strings)
    expect(root).toHaveProperty('lang', lang)
    expect(root).toHaveProperty('dir', dir)
  })

  it('sets no language by default, so that the language of the page holds', () => {
    const root = rootOf(undefined)
    expect(root.hasAttribute('lang')).toBe(false)
    expect(root.hasAttribute('dir')).toBe(false)
  })

  it('leaves the last word to the host', () => {
    const root = rootOf(arabic, { lang: 'fa', dir: 'ltr' })
    expect(root).toHaveProperty('lang', 'fa')
    expect(root).toHaveProperty('dir', 'ltr')
  })
})
