import { describe, expect, it } from 'vitest'
import { readTree } from '../layers/files.ts'

const decisions = readTree('docs/decisions/').filter(({ path }) => path !== 'README.md')

describe('the decisions', () => {
  it('have one number each: take the next free one when you merge', () => {
    const numbers = decisions.map(({ path }) => path.slice(0, 3))
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  })

  it.each(decisions)('$path has its number in the heading', ({ path, text }) => {
    expect(text.startsWith(`# ${path.slice(0, 3)}. `), 'Begin the file with "# NNN. What was decided".').toBe(true)
  })
})
