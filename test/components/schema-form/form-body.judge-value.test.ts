import { describe, expect, it } from 'vitest'
import { judgeValue } from '../../../src/components/schema-form/form-body.tsx'

describe('the judge', () => {
  it('says where a value does not fit', async () => {
    const schema = { properties: { 'a/b': { items: { type: 'integer' } } } }
    expect(await judgeValue(schema, { 'a/b': [1, 2] })).toEqual({ result: 'valid' })
    expect(await judgeValue(schema, { 'a/b': [1, 'x'] })).toEqual({
      result: 'invalid',
      errors: [{ path: '/a~1b/1', keyword: 'type', message: expect.stringContaining('string') }],
    })
  })

  it('says of variants that none fits, and not what each one misses', async () => {
    expect(await judgeValue({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, null)).toMatchObject({
      errors: [{ path: '', keyword: 'anyOf' }],
    })
  })

  it('changes nothing in the schema, which may be frozen', async () => {
    const schema = Object.freeze({ $ref: '#/$defs/a', $defs: Object.freeze({ a: Object.freeze({ type: 'string' }) }) })
    expect(await judgeValue(schema, 'x')).toEqual({ result: 'valid' })
    expect(Object.getOwnPropertyNames(schema)).toEqual(['$ref', '$defs'])
  })

  it('does not take what is only a value for a pattern or a format', async () => {
    const schema = { enum: [{ pattern: '(a+)+', format: 'url', $id: 'x' }] }
    expect(await judgeValue(schema, { pattern: '(a+)+', format: 'url', $id: 'x' })).toEqual({ result: 'valid' })
    expect(await judgeValue({ properties: { pattern: { type: 'integer' } } }, { pattern: 'x' })).toMatchObject({
      result: 'invalid',
    })
  })

  it('leaves out patterns and formats that could take long', async () => {
    const text = `${'a'.repeat(40)}!`
    expect(await judgeValue({ pattern: '^(a+)+$' }, text)).toEqual({ result: 'valid' })
    expect(await judgeValue({ format: 'url' }, `http://${'a'.repeat(60)}`)).toEqual({ result: 'valid' })
    expect(await judgeValue({ patternProperties: { '^(a+)+$': false } }, { [text]: 1 })).toEqual({ result: 'unknown' })
    expect(await judgeValue({ pattern: '^a+$' }, text)).toMatchObject({ result: 'invalid' })
  })

  /** Definitions of which each applies the next one twice: a billion evaluations at 30. */
  const doubling = (count: number, apply: (ref: object) => object): Record<string, unknown> => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries([
      ...Array.from({ length: count }, (_, at): [string, unknown] => [`d${at}`, apply({ $ref: `#/$defs/d${at + 1}` })]),
      [`d${count}`, { type: 'integer' }],
    ]),
  })

  it('evaluates no schema whose references double the work with each step', async () => {
    const twice = (ref: object): object => ({ allOf: [ref, ref] })
    expect(await judgeValue(doubling(5, twice), 'x')).toMatchObject({ result: 'invalid' })
    expect(await judgeValue(doubling(40, twice), 1)).toEqual({ result: 'unknown' })
  })

  it('evaluates a schema that refers to itself as deep as the value goes, and none that never ends', async () => {
    const tree = { $ref: '#/$defs/t', $defs: { t: { type: 'object', properties: { a: { $ref: '#/$defs/t' } } } } }
    expect(await judgeValue(tree, { a: { a: {} } })).toEqual({ result: 'valid' })
    expect(await judgeValue(tree, { a: { a: 1 } })).toMatchObject({ errors: [{ path: '/a/a', keyword: 'type' }] })
    expect(await judgeValue({ $ref: '#' }, 1)).toEqual({ result: 'unknown' })
    expect(await judgeValue({ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 1)).toEqual({ result: 'unknown' })
  })

  const numbers = Array.from({ length: 10_000 }, (_, at) => at)
  const some = numbers.slice(0, 1_000)
  it.each([
    ['compares each item with each other', { allOf: [{ uniqueItems: true }, { uniqueItems: true }] }, numbers],
    ['writes a long message for each item', { items: { enum: ['x'.repeat(50_000)] } }, some],
    ['looks for many names in each item', { items: { required: some.map(String) } }, some.map(() => ({}))],
    [
      'looks for many patterns in each name',
      { patternProperties: Object.fromEntries(some.map((at) => [`^x${at}`, {}])) },
      Object.fromEntries(some.map((at) => [`y${at}`, 1])),
    ],
  ])('stops where a schema %s', async (_, schema, value) => {
    expect(await judgeValue(schema, value)).toEqual({ result: 'unknown' })
  })

  it('reads the first of tens of thousands of errors', async () => {
    const schema = { items: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } }
    const verdict = await judgeValue(
      schema,
      Array.from({ length: 30_000 }, () => 1),
    )
    const errors = Array.from({ length: 20 }, (_, at) => ({ path: `/${at}`, keyword: 'anyOf' }))
    expect(verdict).toMatchObject({ result: 'invalid', errors })
  })

  it.each([
    ['a reference to another place', { $ref: 'https://agent.example/schema' }],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
    ['a wrong type of a keyword', { required: 5, properties: 7 }],
    ['no schema', undefined],
  ])('leaves %s to the agent', async (_, schema) => {
    expect(await judgeValue(schema, {})).toEqual({ result: 'unknown' })
  })

  it('reads each draft as it was: exclusive limits, and what is beside a reference', async () => {
    const four = { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true }
    expect(await judgeValue(four, 1)).toMatchObject({ result: 'invalid' })
    const beside = { $defs: { a: { type: 'integer' } }, properties: { a: { $ref: '#/$defs/a', minimum: 2 } } }
    const seven = { ...beside, $schema: 'http://json-schema.org/draft-07/schema#' }
    expect(await judgeValue(seven, { a: 1 })).toEqual({ result: 'valid' })
    expect(await judgeValue(beside, { a: 1 })).toMatchObject({ result: 'invalid' })
  })
})
