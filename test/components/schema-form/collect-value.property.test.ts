import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  collectValue,
  type FormEntries,
  addRow,
  readDraft,
  restoredEntries,
  startEntries,
  storedEntries,
  writeDraft,
} from '../../../src/components/schema-form/collect-value.ts'
import { type FormField, fieldAt, readForm } from '../../../src/components/schema-form/read-form.ts'
import { judgeValue } from '../../../src/components/schema-form/form-body.tsx'
import type { JsonSchema } from '../../../src/seam/prompt.ts'

const small = fc.integer({ min: 0, max: 4 })
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined })
const without = (schema: Readonly<Record<string, unknown>>): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))

const text = fc
  .record({
    type: fc.constant('string'),
    format: maybe(fc.constantFrom('email', 'uri', 'date', 'date-time', 'uuid', 'password')),
    minLength: maybe(small),
    maxLength: maybe(fc.integer({ min: 2, max: 40 })),
    pattern: maybe(fc.constantFrom('^[a-z]*$', '\\d', '^(a+)+$', '(')),
    default: maybe(fc.string()),
  })
  .map(without)
const number = fc
  .record({
    type: fc.constantFrom('number', 'integer'),
    minimum: maybe(fc.integer({ min: -9, max: 0 })),
    exclusiveMaximum: maybe(fc.integer({ min: 1, max: 9 })),
    multipleOf: maybe(fc.constantFrom(0.1, 0.5, 2, 3)),
    default: maybe(fc.oneof(fc.integer(), fc.double())),
  })
  .map(without)
const choice = fc
  .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { minLength: 1, maxLength: 4 })
  .map((values) => ({ enum: values }))
const scalar: fc.Arbitrary<JsonSchema> = fc.oneof(text, number, choice, fc.constant({ type: 'boolean' }))
const list = fc
  .record({
    type: fc.constant('array'),
    items: scalar,
    minItems: maybe(small),
    maxItems: maybe(small),
    uniqueItems: maybe(fc.boolean()),
  })
  .map(without)
const { schema } = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    scalar,
    scalar,
    list,
    fc.constant({}),
    tie('object'),
    fc.array(tie('object'), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
  ),
  object: fc
    .record({
      type: fc.constant('object'),
      properties: fc.dictionary(
        fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('__proto__', 'a/b', '~0', 'toString')),
        tie('schema'),
        { maxKeys: 4 },
      ),
      all: fc.boolean(),
      additionalProperties: maybe(fc.constant(false)),
    })
    .map(({ all, ...rest }) =>
      without({
        ...rest,
        required: all ? Object.keys(rest.properties).filter((key) => key !== '__proto__') : undefined,
      }),
    ),
}))

/** What somebody could type. */
const typed = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '',
    '1',
    '-2',
    '0.3',
    '2.5',
    'abc',
    'a@b.example',
    'https://a.example/',
    '2024-02-29',
    '2024-02-29T12:30',
    '1e999',
    '12345678901234567890',
    '{"a":1}',
    '[]',
    'nul',
  ),
)

/** Enters texts into a form, taking one after the other. */
function filled(form: FormField, texts: readonly string[]): FormEntries {
  let at = 0
  const next = (): string => texts[at++ % texts.length] ?? ''
  const index = (count: number): string => String(next().length % count)
  let entries = startEntries(form)
  const fill = (field: FormField): void => {
    if (field.kind === 'group') return field.fields.forEach(fill)
    if (field.kind === 'fixed') return
    if (field.kind === 'union') {
      const chosen = index(field.variants.length)
      entries = { ...entries, [field.id]: chosen }
      return fill(field.variants[Number(chosen)]!)
    }
    if (field.kind === 'list') {
      for (let rows = next().length % 4; rows > 0; rows -= 1) {
        const added = addRow(entries, field)
        entries = added.entries
        fill(fieldAt(field, `${field.id}/~r${added.row}`))
      }
      return
    }
    const entry =
      field.kind === 'choice' || field.kind === 'choices'
        ? index(field.options.length)
        : field.kind === 'boolean'
          ? ['', 'true', 'false'][next().length % 3]!
          : next()
    // The browser gives a number, or nothing.
    const isUnreadable = field.kind === 'number' && entry !== '' && !/^-?\d+(\.\d+)?(e\d+)?$/.test(entry)
    entries = { ...entries, [field.id]: isUnreadable ? '' : entry }
  }
  fill(form)
  return entries
}

describe('whatever is entered into whatever form', () => {
  it('is a value that fits the schema, or the form says why not', async () => {
    let fitting = 0
    await fc.assert(
      fc.asyncProperty(schema, fc.array(typed, { minLength: 1, maxLength: 12 }), async (schema, texts) => {
        const form = readForm(schema)
        const { value, problems } = collectValue(form, filled(form, texts), startEntries(form))
        if (problems.length > 0) return
        expect(value).not.toBeUndefined()
        const verdict = await judgeValue(schema, value)
        if (verdict.result === 'valid') fitting += 1
        if (verdict.result !== 'invalid') return
        // What fields cannot know is what the validator says: formats beside the four, one of several variants, and JSON text.
        const known = ['format', 'oneOf', 'type', 'enum', 'pattern', 'required', 'additionalProperties', 'false']
        for (const { keyword, message } of verdict.errors) {
          expect(known).toContain(keyword)
          expect(message).toMatch(/\S/)
        }
      }),
      { numRuns: 400, seed: 7 },
    )
    expect(fitting).toBeGreaterThan(50)
  })

  it('is stored without secrets, and comes back as it was', () => {
    fc.assert(
      fc.property(schema, fc.array(typed, { minLength: 1, maxLength: 12 }), (schema, texts) => {
        const form = readForm({ type: 'object', properties: { a: schema, password: { type: 'string' } } })
        const start = startEntries(form)
        const entries = { ...filled(form, texts), '/password': 'hunter2-canary' }
        const draft = writeDraft(form, storedEntries(form, entries), start)
        expect(draft ?? '').not.toContain('hunter2-canary')
        const restored = draft === undefined ? start : restoredEntries(form, start, readDraft(form, draft))
        const stored = storedEntries(form, entries)
        for (const [id, entry] of Object.entries(stored)) expect(restored?.[id]).toBe(entry)
      }),
      { numRuns: 200, seed: 7 },
    )
  })
})
