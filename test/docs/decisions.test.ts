import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readTree } from '../layers/files.ts'

const decisions = readTree('docs/decisions/').filter(({ path }) => path !== 'README.md')

/** Paths from the root of the repository, and files of a decision elsewhere: `decisions/008-….md` and `decision 008`. */
const PATH = /`((?:src|test|scripts|bench|docs|playground|stories)\/[\w./-]+\.\w+)`/g
const REFERENCE = /\bdecisions?(?: |\/)(\d{3})\b/gi

describe('the decisions', () => {
  it('have one number each: take the next free one when you merge', () => {
    const numbers = decisions.map(({ path }) => path.slice(0, 3))
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  })

  it.each(decisions)('$path has its number in the heading', ({ path, text }) => {
    expect(text.startsWith(`# ${path.slice(0, 3)}. `), 'Begin the file with "# NNN. What was decided".').toBe(true)
  })

  it.each(decisions)('$path names only files that exist', ({ text }) => {
    const paths = [...text.matchAll(PATH)].map(([, path = '']) => path)
    expect(
      paths.filter((path) => !existsSync(path)),
      'Write the new path of a file that has moved.',
    ).toEqual([])
  })

  it('exist wherever a file refers to one', () => {
    const numbers = new Set(decisions.map(({ path }) => path.slice(0, 3)))
    const references = readTree('')
      .filter(({ path }) => path !== 'docs/llms-full.txt')
      .flatMap(({ path, text }) => [...text.matchAll(REFERENCE)].map(([, number = '']) => ({ path, number })))
    expect(references.length).toBeGreaterThan(10)
    expect(references.filter(({ number }) => !numbers.has(number))).toEqual([])
  })
})
