import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaultStrings } from '../../src/strings/dictionary.ts'

const page = readFileSync(new URL('../../docs/accessibility.md', import.meta.url), 'utf8')
const story = readFileSync(new URL('../browser/keyboard.test.tsx', import.meta.url), 'utf8')

/** The rows of the table under a heading, without its head. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const rows = own.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** Every test of the story by its name, with what it does; a table of cases is one test per case. */
function testsOf(source: string): ReadonlyMap<string, string> {
  const tests = new Map<string, string>()
  for (const [, body = ''] of source.matchAll(/\n {2}it(?=\.each|\()([\s\S]*?)(?=\n\n|\n\}\))/g)) {
    const [, name = ''] = /\('([^']+)', (?:async )?\(/.exec(body) ?? []
    const [, place] = /^%s(, .+)$/.exec(name) ?? []
    if (place === undefined) tests.set(name, body)
    else for (const [row, key = ''] of body.matchAll(/\n {4}\['([^']+)'.*/g)) tests.set(key + place, row)
  }
  return tests
}

const keys = tableUnder('Keys')
const tests = testsOf(story)

describe('the table of keys', () => {
  it('is the list of keys that a test presses, row by row', () => {
    const rows = keys.map(([key, place]) => `${key}, ${place}`)
    expect(rows.length).toBeGreaterThan(20)
    expect([...tests.keys()].toSorted()).toEqual(rows.toSorted())
  })

  it('names no key that its test does not press', () => {
    const unpressed = keys.filter(([key, place]) => !tests.get(`${key}, ${place}`)?.includes(`press('${key}')`))
    expect(unpressed).toEqual([])
  })

  it('says what each does', () => {
    expect(keys.filter((row) => row.length !== 3 || row.includes(''))).toEqual([])
  })
})

describe('the table of announcements', () => {
  it('has every sentence of the voice, and no other', () => {
    const sentences = tableUnder('What a screen reader announces').map(([, sentence = '']) => sentence)
    expect(sentences.toSorted()).toEqual(Object.values(defaultStrings.announce).toSorted())
  })
})
