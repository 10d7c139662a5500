import fc from 'fast-check'
import type * as z from 'zod/mini'

/** What is used of the definition of a schema. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>
  readonly element?: z.ZodMiniType
  readonly innerType?: z.ZodMiniType
  readonly in?: z.ZodMiniType
  readonly entries?: Readonly<Record<string, string>>
  readonly options?: readonly z.ZodMiniType[]
}

const json = fc.jsonValue({ maxDepth: 2 })
const object = fc.dictionary(fc.string({ maxLength: 6 }), json, { maxKeys: 3 })
const texts = fc.oneof(
  fc.string(),
  fc.string({ minLength: 1, unit: 'binary' }),
  fc
    .date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
)
const numbers = fc.oneof(
  fc.nat(100),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0),
)

/** JSON values that a schema takes, made from its definition. Members that may be absent are absent, null or there. */
export function valuesOf(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  return unchecked(schema).filter((value) => schema.safeParse(value).success)
}

function unchecked(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  // The definition of each kind of schema has these members.
  const { type, shape, element, innerType, entries, options, ...rest } = schema._zod.def as unknown as Definition
  switch (type) {
    case 'object': {
      const members = Object.entries(shape ?? {})
      const isOptional = ([, member]: (typeof members)[number]): boolean => member._zod.def.type === 'optional'
      const requiredKeys = members.filter((member) => !isOptional(member)).map(([key]) => key)
      return fc.record(Object.fromEntries(members.map(([key, member]) => [key, valuesOf(member)])), { requiredKeys })
    }
    case 'string':
      return texts
    case 'number':
    case 'int':
      return numbers
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values(entries ?? {}))
    case 'array':
      return fc.array(element === undefined ? json : valuesOf(element), { maxLength: 3 })
    case 'optional':
      return innerType === undefined ? json : valuesOf(innerType)
    case 'nullable':
      return innerType === undefined ? json : fc.option(valuesOf(innerType))
    case 'pipe':
      return rest.in === undefined ? json : valuesOf(rest.in)
    case 'union':
      return fc.oneof(...(options ?? []).map(valuesOf))
    case 'custom':
      return object
    case 'record':
      return object
    case 'unknown':
      return json
    default:
      throw new Error(`There are no values for a schema of type ${type}.`)
  }
}
