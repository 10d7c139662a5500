import { describe, expect, it } from 'vitest'
import { linkTo, readHash, readMarkdown } from '../../playground/src/address.ts'
import { defaultAppearance, readAppearance } from '../../playground/src/appearance/appearance.ts'
import { createHistory, riverHistory } from '../../playground/src/history.ts'
import { readHosts } from '../../playground/src/settings/settings.ts'
import { isScenarioId, scenarios } from '../../playground/server/scenarios/scenario-list.ts'
import { createManualClock } from '../support/manual-clock.ts'

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

describe('a scenario', () => {
  it('says what to look at, in a sentence', () => {
    for (const { see } of scenarios) expect(see).toMatch(/^[A-Z].{20,160}\.$/)
    expect(isScenarioId('constructor')).toBe(false)
  })
})

describe('what was stored of the appearance', () => {
  it('is taken as far as it means something', () => {
    expect(readAppearance('{"theme":"dark","contrast":"loud","density":"compact","language":"tlh"}')).toEqual({
      ...defaultAppearance,
      theme: 'dark',
      density: 'compact',
    })
  })

  it.each([null, '', 'dark', '[]', 'null', '{"theme":{}}'])('is left aside when it is %s', (stored) => {
    expect(readAppearance(stored)).toEqual(defaultAppearance)
  })
})

describe('allowed media hosts', () => {
  it('are read apart by spaces and commas', () => {
    expect(readHosts(' cdn.example, *.pictures.example\n127.0.0.1:8080')).toEqual({
      hosts: ['cdn.example', '*.pictures.example', '127.0.0.1:8080'],
    })
    expect(readHosts('')).toEqual({ hosts: [] })
  })

  it.each(['https://cdn.example', 'cdn.example/pictures', '*', 'a..b', '*.*.example'])(
    'are refused with the word that is wrong: %s',
    (text) => {
      expect(readHosts(`good.example ${text}`)).toMatchObject({ problem: expect.stringContaining(text) as unknown })
    },
  )
})

describe('the history of a long talk', () => {
  it('comes page by page, newest first, and is whole in the end', async () => {
    const clock = createManualClock()
    const all = riverHistory(50, 0)
    const history = createHistory(all, true, clock)
    let shown = [...history.first]
    expect(shown).toEqual(all.slice(-40))
    while (history.left > 0) {
      const page = history.older()
      await clock.advance(600)
      shown = [...(await page), ...shown]
    }
    expect(shown).toEqual(all)
    expect(new Set(all.map(({ id }) => id)).size).toBe(100)
  })

  it('is there at once when it is not paged', () => {
    expect(createHistory(riverHistory(1_000, 0), false, createManualClock())).toMatchObject({
      total: 2_000,
      left: 0,
      first: { length: 2_000 },
    })
  })
})
