import { describe, expect, it } from 'vitest'
import { linkTo, readHash, readMarkdown } from '../../../playground/src/address.ts'
import { scenarios } from '../../../playground/server/scenarios/scenario-list.ts'

describe('a link', () => {
  it('leads to each scenario and back', () => {
    for (const { id } of scenarios) expect(readHash(linkTo(id))).toEqual({ scenario: id })
    expect(readHash(linkTo(undefined))).toEqual({ scenario: undefined })
    expect(readHash('')).toEqual({ scenario: undefined })
  })

  it.each(['#no-such', '#toString', '#%E0%A4%A', '#plain-text/'])('that says %s names nothing', (hash) => {
    expect(readHash(hash)).toHaveProperty('unknown')
  })
})

describe('the address', () => {
  it.each([
    ['', true],
    ['?markdown=on', true],
    ['?markdown=off', false],
  ])('that says %s asks for markdown: %s', (search, wanted) => {
    expect(readMarkdown(search)).toBe(wanted)
  })
})
