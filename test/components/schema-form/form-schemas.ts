import type { JsonSchema } from '../../../src/seam/prompt.ts'

/** A schema, values that fit it, and values that do not: each as a user enters it. */
export interface SchemaCase {
  readonly name: string
  readonly schema: JsonSchema
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}

/** A schema of one property `a`, as forms are asked for. */
function one(
  name: string,
  a: unknown,
  valid: readonly unknown[],
  invalid: readonly unknown[],
  isRequired = true,
): SchemaCase {
  const wrap = (value: unknown): unknown => (value === undefined ? {} : { a: value })
  return {
    name,
    schema: { type: 'object', properties: { a }, ...(isRequired && { required: ['a'] }) },
    valid: valid.map(wrap),
    invalid: invalid.map(wrap),
  }
}

/** Each kind of field that MCP asks a user for. */
export const ELICITATION: readonly SchemaCase[] = [
  one('a string', { type: 'string', title: 'Name', description: 'Your name' }, ['Ada', ' ', '🛶'], [undefined]),
  one('a string that may be left out', { type: 'string' }, [undefined, 'x'], [], false),
  one('a string with a shortest length', { type: 'string', minLength: 3 }, ['abc', '🛶🛶🛶'], ['ab', '🛶🛶']),
  one('a string with a longest length', { type: 'string', maxLength: 3 }, ['abc', '🛶🛶🛶'], ['abcd']),
  one('a string with a pattern', { type: 'string', pattern: '^[A-Z]{2}-\\d+$' }, ['AB-1'], ['ab-1', 'AB-', 'xAB-1']),
  one('a pattern that is not anchored', { type: 'string', pattern: 'a+' }, ['xaax'], ['xbx']),
  one(
    'an email address',
    { type: 'string', format: 'email' },
    ['a@b.example', "o'x+y@b.co"],
    ['a', 'a@', '@b.example', 'a b@c.d'],
  ),
  one(
    'an address',
    { type: 'string', format: 'uri' },
    ['https://example.org/a?b=c#d', 'urn:isbn:0451450523', 'mailto:a@b.example'],
    ['example.org', '/a', 'https://exa mple.org'],
  ),
  one('a date', { type: 'string', format: 'date' }, ['2024-02-29'], ['2023-02-29', '24-1-1', 'soon']),
  one(
    'a date and time',
    { type: 'string', format: 'date-time' },
    ['2024-02-29T12:30:00Z', '2024-02-29T12:30:00+02:00'],
    ['2024-02-29', 'noon'],
  ),
  one('a number', { type: 'number' }, [0, -1.5, 1e21, 0.1], [undefined]),
  one('a number with limits', { type: 'number', minimum: -1, maximum: 1.5 }, [-1, 0, 1.5], [-1.01, 1.6]),
  one('an integer', { type: 'integer' }, [0, -7, 9007199254740991], [1.5, undefined]),
  one('an integer with limits', { type: 'integer', minimum: 1, maximum: 10 }, [1, 10], [0, 11, 2.5]),
  one('a boolean', { type: 'boolean' }, [true, false], []),
  one('a boolean that may be left out', { type: 'boolean' }, [undefined, true], [], false),
  one('a boolean with a default', { type: 'boolean', default: true }, [true, false], []),
  one('one of a list', { type: 'string', enum: ['red', 'green'] }, ['red', 'green'], [undefined]),
  one(
    'one of a list with names',
    { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
    ['g'],
    [undefined],
  ),
  one(
    'one of titled constants',
    {
      type: 'string',
      oneOf: [
        { const: 'r', title: 'Red' },
        { const: 'g', title: 'Green' },
      ],
    },
    ['r'],
    [undefined],
  ),
  one('one of a list, or none', { type: 'string', enum: ['red', 'green'] }, [undefined, 'green'], [], false),
  one(
    'several of a list',
    { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 },
    [['a'], ['a', 'c']],
    [[], ['a', 'b', 'c']],
  ),
  one(
    'several of titled constants',
    {
      type: 'array',
      items: {
        anyOf: [
          { const: 1, title: 'One' },
          { const: 2, title: 'Two' },
        ],
      },
    },
    [[1, 2], []],
    [],
  ),
  one('a string with a default', { type: 'string', minLength: 2, default: 'here' }, ['here', 'there'], ['x']),
  one('a number with a default', { type: 'integer', default: 5 }, [5, 6], [5.5]),
  {
    name: 'several fields together',
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        email: { type: 'string', format: 'email' },
        age: { type: 'integer', minimum: 18 },
        news: { type: 'boolean', default: false },
        tier: { type: 'string', enum: ['free', 'paid'] },
      },
      required: ['name', 'email', 'tier'],
    },
    valid: [
      { name: 'Ada', email: 'a@b.example', tier: 'free', news: false },
      { name: 'Ada', email: 'a@b.example', tier: 'paid', age: 36, news: true },
    ],
    invalid: [
      { name: 'Ada', email: 'nobody', tier: 'free' },
      { email: 'a@b.example', tier: 'free' },
      { name: 'Ada', email: 'a@b.example', tier: 'free', age: 17 },
    ],
  },
]

const address = {
  type: 'object',
  properties: { street: { type: 'string' }, zip: { type: 'string', pattern: '^\\d{5}$' } },
  required: ['street'],
}

/** Each kind of keyword that the test suite of JSON Schema has files for. */
export const KEYWORDS: readonly SchemaCase[] = [
  one('type: null', { type: 'null' }, [null], [1]),
  one('type: a list of types', { type: ['string', 'integer'] }, ['a', 1], [1.5, null]),
  one('type: a string or null', { type: ['string', 'null'] }, ['a', null], []),
  one('type: an integer or null, with anyOf', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, [1, null], [1.5]),
  one('type: object', { type: 'object' }, [{}, { b: 1 }], [[], 1]),
  one('type: array', { type: 'array' }, [[], [1, 'a', null]], [{}, 'a']),
  one('enum of any values', { enum: [1, 'a', null, [2], { b: 3 }] }, [1, 'a', null, [2], { b: 3 }], [undefined]),
  one('enum with a boolean', { enum: [false] }, [false], [undefined]),
  one('const', { const: { b: [1] } }, [{ b: [1] }], []),
  one('const that may be left out', { const: 'x' }, ['x', undefined], [], false),
  one('minimum of a negative number', { type: 'number', minimum: -2 }, [-2, -1.9], [-2.1]),
  one('exclusiveMinimum', { type: 'number', exclusiveMinimum: 1.1 }, [1.2], [1.1, 0]),
  one('exclusiveMaximum', { type: 'number', exclusiveMaximum: 3 }, [2.9], [3, 4]),
  {
    ...one('exclusiveMinimum of draft 4', { type: 'number', minimum: 1, exclusiveMinimum: true }, [1.5], [1, 0.5]),
    schema: {
      $schema: 'http://json-schema.org/draft-04/schema#',
      type: 'object',
      properties: { a: { type: 'number', minimum: 1, exclusiveMinimum: true } },
      required: ['a'],
    },
  },
  one('multipleOf', { type: 'integer', multipleOf: 2 }, [0, -4, 10], [7]),
  one('multipleOf a fraction', { type: 'number', multipleOf: 0.01 }, [4.02, 19.99, 0], [0.001]),
  one('pattern of Unicode properties', { type: 'string', pattern: '^\\p{Lu}+$' }, ['ÄÖ'], ['äö']),
  one(
    'pattern of optional groups',
    { type: 'string', pattern: '^\\d{3}(?:-\\d{2})?$' },
    ['123', '123-45'],
    ['12', '123-4'],
  ),
  one('format: uuid', { type: 'string', format: 'uuid' }, ['2eb8aa08-aa98-11ea-b4aa-73b441d16380'], ['2eb8aa08']),
  one('format: ipv4', { type: 'string', format: 'ipv4' }, ['127.0.0.1'], ['256.1.1.1']),
  one('format: hostname', { type: 'string', format: 'hostname' }, ['a.example'], ['-a.example']),
  one('format: time', { type: 'string', format: 'time' }, ['08:30:06Z'], ['8:30']),
  one('format that nobody knows', { type: 'string', format: 'shoe-size' }, ['44'], [undefined]),
  one('items: strings', { type: 'array', items: { type: 'string' } }, [[], ['a', 'b']], [['a', '']]),
  one('items: integers', { type: 'array', items: { type: 'integer' } }, [[1, 2]], [[1.5]]),
  one('items: booleans', { type: 'array', items: { type: 'boolean' } }, [[true, false]], []),
  one('items: objects', { type: 'array', items: address }, [[], [{ street: 'x' }]], [[{}], [1]]),
  one('items: lists', { type: 'array', items: { type: 'array', items: { type: 'integer' } } }, [[[1], []]], [[['a']]]),
  one(
    'prefixItems',
    { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] },
    [[1, 'a'], [1]],
    [['a']],
  ),
  one('contains', { type: 'array', items: { type: 'integer' }, contains: { minimum: 5 } }, [[1, 5]], [[1, 2]]),
  one(
    'minItems and maxItems',
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    [['a'], ['a', 'b']],
    [[]],
  ),
  one(
    'minItems of a list that may be left out',
    { type: 'array', items: { type: 'string' }, minItems: 2 },
    [undefined, ['a', 'b']],
    [['a']],
    false,
  ),
  one('uniqueItems', { type: 'array', items: { type: 'string' }, uniqueItems: true }, [['a', 'b']], [['a', 'a']]),
  one('uniqueItems of JSON', { type: 'array', uniqueItems: true }, [[1, true, {}]], [[{ b: 1 }, { b: 1 }]]),
  one(
    'properties of an object',
    address,
    [{ street: 'x' }, { street: 'x', zip: '12345' }],
    [{ zip: '12345' }, { street: 'x', zip: '1' }],
  ),
  one('an object that may be left out', address, [undefined, { street: 'x' }], [{ zip: '12345' }], false),
  one(
    'objects inside of each other',
    { type: 'object', properties: { b: { type: 'object', properties: { c: address } } } },
    [{}, { b: { c: { street: 'x' } } }],
    [{ b: { c: { zip: '12345' } } }],
  ),
  one(
    'a key with every special character',
    { type: 'object', properties: { 'a/b~c "d"\'<%25>': { type: 'string' } }, required: ['a/b~c "d"\'<%25>'] },
    [{ 'a/b~c "d"\'<%25>': 'x' }],
    [{}],
  ),
  one(
    'keys of the language',
    {
      type: 'object',
      properties: { constructor: { type: 'string' }, toString: { type: 'integer' } },
      required: ['constructor'],
    },
    [{ constructor: 'x', toString: 1 }],
    [],
  ),
  one(
    'required of a property that is not named',
    { type: 'object', properties: {}, required: ['b'] },
    [{ b: 1 }],
    [{}],
  ),
  one(
    'additionalProperties of a type',
    { type: 'object', additionalProperties: { type: 'integer' } },
    [{ b: 1 }],
    [{ b: 'x' }],
  ),
  one(
    'patternProperties',
    { type: 'object', patternProperties: { '^x': { type: 'integer' } } },
    [{ x1: 1, y: 'a' }],
    [{ x1: 'a' }],
  ),
  one('propertyNames', { type: 'object', propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]),
  one(
    'minProperties',
    { type: 'object', properties: { b: { type: 'string' }, c: { type: 'string' } }, minProperties: 1 },
    [{ b: 'x' }],
    [{}],
  ),
  one(
    'dependentRequired',
    { type: 'object', properties: { b: { type: 'string' }, c: { type: 'string' } }, dependentRequired: { b: ['c'] } },
    [{}, { b: 'x', c: 'y' }],
    [{ b: 'x' }],
  ),
  one('not', { type: 'string', not: { enum: ['x'] } }, ['y'], ['x']),
  one('allOf of one', { allOf: [{ type: 'integer' }], minimum: 3 }, [3], [2]),
  one(
    'allOf of several',
    { allOf: [{ type: 'object', required: ['b'] }, { properties: { b: { type: 'integer' } } }] },
    [{ b: 1 }],
    [{}, { b: 'x' }],
  ),
  one(
    'if, then and else',
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of the schema
    { type: 'object', if: { required: ['b'] }, then: { required: ['c'] } },
    [{}, { b: 1, c: 1 }],
    [{ b: 1 }],
  ),
  one('anyOf of types', { anyOf: [{ type: 'string', minLength: 2 }, { type: 'integer' }] }, ['ab', 1], ['a', 1.5]),
  one('oneOf of numbers', { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 2 }] }, [1, 2.5], [3]),
  one(
    'oneOf of objects with a constant',
    {
      oneOf: [
        {
          title: 'Card',
          properties: { by: { const: 'card' }, number: { type: 'string', pattern: '^\\d{4}$' } },
          required: ['by', 'number'],
        },
        { title: 'Bank', properties: { by: { const: 'bank' }, name: { type: 'string' } }, required: ['by', 'name'] },
      ],
    },
    [
      { by: 'card', number: '1234' },
      { by: 'bank', name: 'x' },
    ],
    [undefined, { by: 'card', number: 'x' }, { by: 'bank', name: '' }],
  ),
  one(
    'oneOf beside properties',
    {
      type: 'object',
      properties: { b: { type: 'string' } },
      required: ['b'],
      oneOf: [
        { properties: { c: { type: 'integer' } }, required: ['c'] },
        { properties: { d: { type: 'integer' } }, required: ['d'] },
      ],
    },
    [
      { b: 'x', c: 1 },
      { b: 'x', d: 1 },
    ],
    [{ c: 1 }, undefined],
  ),
  {
    name: '$ref to a definition',
    schema: {
      type: 'object',
      $defs: { zip: { type: 'string', pattern: '^\\d{5}$' } },
      properties: { a: { $ref: '#/$defs/zip', description: 'Of your town' } },
      required: ['a'],
    },
    valid: [{ a: '12345' }],
    invalid: [{ a: '1' }],
  },
  {
    name: '$ref to definitions of draft 7, escaped',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      definitions: { 'a/b~c': { type: 'integer' } },
      properties: { a: { $ref: '#/definitions/a~1b~0c' } },
      required: ['a'],
    },
    valid: [{ a: 1 }],
    invalid: [{ a: 1.5 }],
  },
  {
    name: '$ref to itself',
    schema: {
      $defs: {
        node: {
          type: 'object',
          properties: { value: { type: 'integer' }, next: { $ref: '#/$defs/node' } },
          required: ['value'],
        },
      },
      $ref: '#/$defs/node',
    },
    valid: [{ value: 1 }, { value: 1, next: { value: 2 } }],
    invalid: [{ next: { value: 2 } }, { value: 1, next: {} }],
  },
  { name: 'a string alone', schema: { type: 'string', maxLength: 2 }, valid: ['ab'], invalid: ['abc'] },
  {
    name: 'a list alone',
    schema: { type: 'array', items: { type: 'integer' }, minItems: 1 },
    valid: [[1, 2]],
    invalid: [[]],
  },
  { name: 'one of a list alone', schema: { enum: ['a', 'b'] }, valid: ['b'], invalid: [undefined] },
  {
    name: 'variants alone',
    schema: {
      oneOf: [
        { title: 'A', type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { title: 'B', type: 'integer' },
      ],
    },
    valid: [{ a: 'x' }, 3],
    invalid: [1.5],
  },
  { name: 'anything', schema: {}, valid: [1, 'a', null, { a: [] }], invalid: [undefined] },
]
