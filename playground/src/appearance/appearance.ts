import { createStore } from '../store.ts'
import type { LanguageCode } from './languages.ts'
import { isLanguageCode, languages } from './languages.ts'

const CHOICES = {
  /** `system` follows the device. */
  theme: ['system', 'light', 'dark'],
  contrast: ['system', 'more'],
  density: ['comfortable', 'compact'],
} as const

type Choices = typeof CHOICES

/** How the page looks and speaks, as the user chose it. */
export interface Appearance {
  readonly theme: Choices['theme'][number]
  readonly contrast: Choices['contrast'][number]
  readonly density: Choices['density'][number]
  readonly language: LanguageCode
}

export const defaultAppearance: Appearance = {
  theme: 'system',
  contrast: 'system',
  density: 'comfortable',
  language: 'en',
}

const KEY = 'capstan-playground-appearance'

/** What was stored, as far as it still means something. */
export function readAppearance(stored: string | null): Appearance {
  const given = parse(stored)
  const pick = <Name extends keyof Choices>(name: Name): Appearance[Name] => {
    const options: readonly unknown[] = CHOICES[name]
    // One of the options of this very choice, so of its type.
    return options.includes(given[name]) ? (given[name] as Appearance[Name]) : defaultAppearance[name]
  }
  return {
    theme: pick('theme'),
    contrast: pick('contrast'),
    density: pick('density'),
    language: isLanguageCode(given['language']) ? given['language'] : 'en',
  }
}

function parse(stored: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(stored ?? '')
    // Any object may be asked for its properties; every one is doubted above.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function remembered(): Appearance {
  try {
    return readAppearance(localStorage.getItem(KEY))
  } catch {
    // Storage is forbidden here: the choice lasts as long as the page.
    return defaultAppearance
  }
}

export const appearance = createStore<Appearance>(defaultAppearance)

/** Restores what was chosen the last time. */
export function restoreAppearance(): void {
  appearance.set(remembered())
  apply(appearance.get())
}

export function changeAppearance(part: Partial<Appearance>): void {
  const next = { ...appearance.get(), ...part }
  appearance.set(next)
  apply(next)
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // As above.
  }
}

/** capstan reads three attributes of any element around its parts; the page puts them on its root. */
function apply({ theme, contrast, density, language }: Appearance): void {
  const root = document.documentElement
  const attribute = (name: string, value: string | undefined): void => {
    if (value === undefined) delete root.dataset[name]
    else root.dataset[name] = value
  }
  attribute('theme', theme === 'system' ? undefined : theme)
  attribute('contrast', contrast === 'more' ? 'more' : undefined)
  attribute('density', density === 'compact' ? 'compact' : undefined)
  root.dir = languages[language].dir
}
