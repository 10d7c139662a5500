// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { formIn, SchemaForm } from '../../../src/components/schema-form/schema-form.tsx'
import type { SchemaCase } from './form-schemas.ts'
import { ELICITATION, KEYWORDS } from './form-schemas.ts'
import { stepsTo, take } from './enter-value.ts'
import '../show.tsx'

// What is tested here begins after the code has been fetched.
await Promise.all([formIn(undefined).load(), import('../../../src/components/schema-form/bounded-judge.ts')])

/** Enters a value and submits it: what was handed over, or what the form says is wrong. */
async function submitted(schema: SchemaCase['schema'], value: unknown): Promise<unknown> {
  const onSubmit = vi.fn<(value: unknown) => void>()
  render(<SchemaForm schema={schema} onSubmit={onSubmit} aria-label="Form" />)
  for (const step of stepsTo(schema, value)) take(step)
  fireEvent.submit(screen.getByRole('form'))
  await waitFor(
    () => {
      if (onSubmit.mock.calls.length === 0 && document.querySelector('.cs-form-summary') === null)
        throw new Error('nothing yet')
    },
    { timeout: 20_000 },
  )
  const wrong = document.querySelector('.cs-form-summary')?.textContent
  cleanup()
  return wrong === undefined ? { value: onSubmit.mock.calls[0]?.[0] } : { wrong }
}

const same = (value: unknown): unknown => ({ value })

/** Times are sent in UTC, and a boolean that is not named has the default. */
function sent(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, item: unknown) =>
      typeof item === 'string' && /^\d{4}-\d\d-\d\dT/.test(item) ? new Date(item).toISOString() : item,
    ),
  )
}

describe.each([
  ['of MCP elicitation', ELICITATION],
  ['of the keywords of JSON Schema', KEYWORDS],
])('a form %s', (_, cases) => {
  it.each(cases.map((each) => [each.name, each] as const))(
    '%s: takes what fits and refuses what does not',
    async (_, { schema, valid, invalid }) => {
      for (const value of valid) expect(await submitted(schema, value)).toEqual(same(sent(value)))
      for (const value of invalid)
        expect(await submitted(schema, value)).toEqual({ wrong: expect.stringMatching(/\S/) })
    },
  )
})

it('has more than 60 schemas, each with values', () => {
  const cases = [...ELICITATION, ...KEYWORDS]
  expect(cases.length).toBeGreaterThanOrEqual(85)
  expect(cases.filter(({ valid, invalid }) => valid.length + invalid.length === 0)).toEqual([])
})
