import { describe, expect, it } from 'vitest'
import { readPage } from './pages.ts'
import { compact, moreContrast, tokens } from '../theming/tokens.ts'

const guide = readPage('docs/theming.md')

/** The rows of the first table of a section: token and value. */
function rowsUnder(heading: string): Record<string, string> {
  const section = guide.text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return Object.fromEntries(
    [...section.matchAll(/^\| `(--cs-[\w-]+)` \| `([^`]+)` \|/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

describe('the tables of tokens in the guide', () => {
  it.each([
    ['Tokens', tokens],
    ['More contrast', moreContrast],
    ['Density', compact],
  ])('"%s" says what the style sheet says', (heading, declared) => {
    expect(Object.keys(declared).length).toBeGreaterThan(4)
    expect(rowsUnder(heading)).toEqual(declared)
  })
})
