import { describe, expect, it } from 'vitest'
import { type FormField, FORM_LIMITS, readForm } from '../../../src/components/schema-form/read-form.ts'
import { collectValue, startEntries } from '../../../src/components/schema-form/collect-value.ts'
import { measureJson } from '../../../src/components/schema-form/measure-json.ts'
import type { JsonSchema } from '../../../src/seam/prompt.ts'

const object = (properties: JsonSchema, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
})
const fieldsOf = (form: FormField): readonly FormField[] => (form.kind === 'group' ? form.fields : [])
const kinds = (form: FormField): unknown => (form.kind === 'group' ? form.fields.map(kinds) : form.kind)

/** Objects inside of each other. */
const nested = (depth: number): JsonSchema => (depth === 0 ? { type: 'string' } : object({ a: nested(depth - 1) }))

describe('what a schema is as a form', () => {
  it('nests objects four deep, and takes what is deeper as JSON', () => {
    expect(kinds(readForm(nested(4)))).toEqual([[[['text']]]])
    expect(kinds(readForm(nested(5)))).toEqual([[[['json']]]])
  })

  it('is JSON text alone where there are more than 100 fields', () => {
    const many = (count: number): JsonSchema =>
      object(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'string' }])))
    expect(fieldsOf(readForm(many(99)))).toHaveLength(99)
    expect(readForm(many(100))).toMatchObject({ kind: 'json', reason: 'large' })
    expect(readForm(object({ a: many(60), b: many(60) }))).toMatchObject({ kind: 'json', reason: 'large' })
  })

  it('does not grow with definitions that each name the next one twice', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        object({ a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } }),
      ]),
    )
    expect(kinds(readForm({ $ref: '#/$defs/d0', $defs }))).toEqual(
      Array.from({ length: 2 }, () =>
        Array.from({ length: 2 }, () => Array.from({ length: 2 }, () => ['json', 'json'])),
      ),
    )
  })

  it.each([
    [{ $ref: 'https://agent.example/schema.json' }],
    [{ $ref: '#/$defs/none' }],
    [{ $ref: '#/$defs/loop' }],
    [{ $ref: '#/$defs/constructor' }],
    [{ $ref: 7 }],
  ])('takes the reference %j as JSON, and asks nobody for it', (a) => {
    const form = readForm(object({ a }, { $defs: { loop: { $ref: '#/$defs/loop' } } }))
    expect(kinds(form)).toEqual(['json'])
  })

  it.each([
    [{ type: 'array', items: { enum: Array.from({ length: 51 }, (_, at) => at) } }],
    [{ enum: Array.from({ length: 1001 }, (_, at) => at) }],
    [{ oneOf: Array.from({ length: 21 }, () => object({ b: { type: 'string' } })) }],
    [{ type: 'made-up' }],
    [true],
    ['no schema'],
    [null],
  ])('takes %.60j as JSON', (a) => {
    expect(kinds(readForm(object({ a })))).toEqual(['json'])
  })

  it('leaves out what can have no value', () => {
    // Written a line above, it is an object.
    const properties = JSON.parse(
      '{"a": false, "__proto__": {"type": "string"}, "b": {"type": "string"}}',
    ) as JsonSchema
    expect(kinds(readForm(object(properties)))).toEqual(['text'])
  })

  it('begins with the initial value over defaults, and keeps what the schema does not name', () => {
    const schema = object({ a: { type: 'string', default: 'x' }, b: { type: 'integer', default: 1 } })
    const initial = { a: 'y', more: { c: 1 } }
    const form = readForm(schema, initial)
    const start = startEntries(form)
    expect(collectValue(form, start, start).value).toEqual({ a: 'y', b: 1, more: { c: 1 } })
    const closed = readForm({ ...schema, additionalProperties: false }, initial)
    expect(collectValue(closed, start, start).value).toEqual({ a: 'y', b: 1 })
  })

  it('sends an empty text where it began with one', () => {
    const schema = object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a'] })
    const form = readForm(schema, { a: '', b: '' })
    const start = startEntries(form)
    expect(collectValue(form, start, start)).toMatchObject({ value: { a: '', b: '' }, problems: [] })
  })

  it('sends a time that nobody changed as it was written', () => {
    const schema = object({ a: { type: 'string', format: 'date-time' } })
    const form = readForm(schema, { a: '2024-02-29T12:30:05.5+02:00' })
    const start = startEntries(form)
    expect(collectValue(form, start, start).value).toEqual({ a: '2024-02-29T12:30:05.5+02:00' })
  })

  it('marks what is never stored, inside of JSON text too', () => {
    const secret = { type: 'string', writeOnly: true }
    const form = readForm(
      object({
        a: secret,
        b: { type: 'string', format: 'password' },
        c: { type: 'array', items: object({ d: secret }) },
        accessToken: { type: 'string' },
        max_tokens: { type: 'integer' },
        e: { type: 'string' },
      }),
    )
    expect(fieldsOf(form).map(({ isSecret }) => isSecret)).toEqual([true, true, true, true, true, false])
    expect(fieldsOf(form).map(({ asksCredential }) => asksCredential)).toEqual([false, true, false, true, false, false])
  })

  it('is not read at all where it is too large or too deep', () => {
    expect(measureJson(nested(1_000), FORM_LIMITS)).toBeUndefined()
    expect(measureJson({ title: 'x'.repeat(10_000_000) }, FORM_LIMITS)).toBeUndefined()
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(measureJson(circle, FORM_LIMITS)).toBeUndefined()
    expect(measureJson({ a: ['bc', { d: 'efg' }] }, FORM_LIMITS)).toEqual({
      characters: 12,
      depth: 4,
      longest: 3,
      breadth: 2,
    })
  })
})
