import { isRecord } from '../../../base/guards.ts'
import type { JsonSchema } from '../../../seam/prompt.ts'

/** A schema without references, as far as this form follows them. */
export interface ResolvedSchema {
  readonly schema: JsonSchema
  /** The references on the way here. One that comes again would never end. */
  readonly refs: readonly string[]
  readonly isNullable: boolean
}

const LOCAL = /^#\/(\$defs|definitions)\/([^/]+)$/

/**
 * Follows references to the schema's own definitions, and takes out what only wraps a schema: an `allOf` of one, and the `null` of a
 * schema that may be null. Undefined: it refers to something else, or to itself.
 */
export function resolveSchema(
  root: JsonSchema,
  from: JsonSchema,
  before: readonly string[],
): ResolvedSchema | undefined {
  let schema = from
  let refs = before
  let isNullable = false
  // Each round takes out a keyword or follows a reference that was not followed yet.
  for (;;) {
    const { $ref, allOf, anyOf, oneOf, type, ...rest } = schema
    if ($ref !== undefined) {
      const target = typeof $ref === 'string' && !refs.includes($ref) ? definition(root, $ref) : undefined
      if (target === undefined || typeof $ref !== 'string') return undefined
      refs = [...refs, $ref]
      const { $ref: _, ...own } = schema
      schema = { ...target, ...own }
      continue
    }
    const only: unknown = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined
    if (isRecord(only)) {
      const { allOf: _, ...own } = schema
      schema = { ...only, ...own }
      continue
    }
    if (Array.isArray(type) && type.length === 2 && type.includes('null')) {
      isNullable = true
      schema = { ...schema, type: type.find((name) => name !== 'null') as unknown }
      continue
    }
    const either = withoutNull(anyOf) ?? withoutNull(oneOf)
    if (either !== undefined && type === undefined) {
      isNullable = true
      schema = { ...either, ...rest }
      continue
    }
    return { schema, refs, isNullable }
  }
}

/** What a value is when it is not null, of a list of a schema and `null`. */
function withoutNull(variants: unknown): JsonSchema | undefined {
  if (!Array.isArray(variants) || variants.length !== 2) return undefined
  const others: unknown[] = variants.filter((variant) => !(isRecord(variant) && variant['type'] === 'null'))
  return others.length === 1 && isRecord(others[0]) ? others[0] : undefined
}

function definition(root: JsonSchema, ref: string): JsonSchema | undefined {
  const [, table = '', name = ''] = LOCAL.exec(ref) ?? []
  const definitions = root[table]
  const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~')
  if (!isRecord(definitions) || !Object.hasOwn(definitions, key)) return undefined
  const found = definitions[key]
  return isRecord(found) ? found : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
