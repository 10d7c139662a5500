import { describe, expect, it } from 'vitest'
import { CAPSTAN_CLIENTS } from '../../bench/endings/capstan-clients.js'
import { ENDINGS } from '../../bench/endings/endings.js'
import { cellOf, outcomeOf } from '../../bench/endings/outcome.js'
import { readPage } from './pages.ts'

// The columns of capstan in the table of endings. Those of others need their packages: `npm run compare` prints them.

const rows = readPage('docs/comparison.md')
  .text.split('\n')
  .filter((row) => row.startsWith('| '))
  .map((row) => row.slice(2, -2).split(' | '))
const table = rows.slice(
  rows.findIndex(([first]) => first === 'The answer'),
  rows.findIndex(([first]) => first === 'Client without React'),
)
const [head = []] = table

describe.each(Object.entries(CAPSTAN_CLIENTS))('the column of %s', (name, client) => {
  it.each(ENDINGS)('says what is shown for: $name', async (ending) => {
    const row = table.find(([first]) => first === ending.name)
    expect(cellOf(await outcomeOf(client, ending)), 'Run `npm run compare -- --write`.').toBe(row?.[head.indexOf(name)])
  })
})

it('has a row for each of thirteen endings', () => {
  expect(table.slice(1).map(([first]) => first)).toEqual(ENDINGS.map(({ name }) => name))
  expect(ENDINGS).toHaveLength(13)
})
