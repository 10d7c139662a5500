import { afterAll, describe, expect, it } from 'vitest'
import { FROM_AI_SDK } from './rows/from-ai-sdk-rows.ts'
import { FROM_LANG_GRAPH } from './rows/from-lang-graph-rows.ts'
import { FROM_ANTHROPIC } from './rows/from-anthropic-rows.ts'
import { FROM_OPENAI } from './rows/from-openai-rows.ts'
import { playRow, type ModelHelper, type ModelRow, type RowOutcome } from './rows/model-row.ts'
import { tableOf } from './rows/print-table.ts'

const HELPERS: readonly ModelHelper[] = [FROM_OPENAI, FROM_ANTHROPIC, FROM_LANG_GRAPH, FROM_AI_SDK]

describe.each(HELPERS.map((helper) => [helper.name, helper] as const))('%s, on streams of its vendor', (_, helper) => {
  const outcomes = new Map<ModelRow, RowOutcome>()

  it.each(helper.rows.map((row) => [row.input, row] as const))('%s', async (_input, row) => {
    const outcome = await playRow(helper, row)
    outcomes.set(row, outcome)
    const { requests = outcome.requests } = row
    const ends = row.ends === 'complete' ? 'complete' : expect.stringMatching(/^fails: /)
    expect(outcome).toEqual({ ends, shows: row.shows, runs: row.runs ?? [], sends: row.sends ?? [], requests })
    if (row.ends !== 'complete') expect(outcome.ends).toContain(row.ends)
  })

  it('has rows of different names', () => {
    expect(new Set(helper.rows.map(({ input }) => input)).size).toBe(helper.rows.length)
  })

  // `npm run test:models` prints it.
  afterAll(() => {
    if (process.env['MODEL_TABLES'] !== undefined) console.log(`${tableOf(helper, outcomes)}\n`)
  })
})
