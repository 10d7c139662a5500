import * as z from 'zod/mini'
import type { Elementary, Shape, ValueOf } from '../../base/format/shape.ts'
import { anything, flag, number, object, text } from '../../base/format/shape.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'

/** Schemas by reader. A reader that accepts more than the specification has the schema of the specification. */
export type ReaderSchemas = ReadonlyMap<Elementary<unknown>, z.ZodMiniType>

const ELEMENTARY: ReaderSchemas = /* @__PURE__ */ new Map<Elementary<unknown>, z.ZodMiniType>([
  [text, z.string('must be a string')],
  [flag, z.boolean('must be true or false')],
  [number, z.number('must be a number')],
  // No copy and no walk: neither size nor depth of the object matters.
  [object, z.custom<JsonObject>(isJsonObject, 'must be an object')],
  [anything, z.optional(z.unknown())],
])

/** The zod schema of a shape. @param specified schemas of the readers that are not in shape.ts */
// @__NO_SIDE_EFFECTS__
export function zodOf<const Described extends Shape>(
  shape: Described,
  specified: ReaderSchemas = ELEMENTARY,
): z.ZodMiniType<ValueOf<Described>> {
  const schemaOf = (each: Shape | undefined): z.ZodMiniType => {
    if (typeof each === 'function') {
      const schema = ELEMENTARY.get(each) ?? specified.get(each)
      if (schema === undefined) throw new TypeError(`${each.name} has no schema. Add one to the call of zodOf.`)
      return schema
    }
    if (Array.isArray(each)) {
      const [item] = each as readonly Shape[]
      return z.array(schemaOf(item), 'must be a list')
    }
    const members = Object.entries(each ?? {}).map(([word, member]): [string, z.ZodMiniType] => {
      const schema = schemaOf(member)
      return word.endsWith('?') ? [word.slice(0, -1), optional(schema)] : [word, schema]
    })
    return z.object(Object.fromEntries(members))
  }
  // A schema has the values of the shape that it is made from.
  return schemaOf(shape) as never
}

/** Null reads as absent. */
function optional(schema: z.ZodMiniType): z.ZodMiniType {
  return z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value) => value ?? undefined),
    ),
  )
}
