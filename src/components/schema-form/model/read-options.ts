import { isRecord } from '../../../base/guards.ts'
import type { JsonSchema } from '../../../seam/prompt.ts'
import type { FieldOption } from './form-field.ts'

/** The values that a schema lists, by `enum` with `enumNames`, or by `oneOf` or `anyOf` with `const` and `title`. Undefined: it lists none. */
export function readOptions(schema: JsonSchema): readonly FieldOption[] | undefined {
  const { enum: values, enumNames: names, oneOf, anyOf } = schema
  if (Array.isArray(values) && values.length > 0)
    return values.map((value: unknown, at) => {
      const name: unknown = Array.isArray(names) ? names[at] : undefined
      return { value, label: typeof name === 'string' && name !== '' ? name : labelOf(value) }
    })
  return readConstants(oneOf) ?? readConstants(anyOf)
}

function readConstants(variants: unknown): readonly FieldOption[] | undefined {
  if (!Array.isArray(variants) || variants.length === 0) return undefined
  const options = variants.flatMap((variant: unknown): FieldOption[] => {
    if (!isRecord(variant) || !Object.hasOwn(variant, 'const')) return []
    const { const: value, title } = variant
    return [{ value, label: typeof title === 'string' && title !== '' ? title : labelOf(value) }]
  })
  return options.length === variants.length ? options : undefined
}

/** A value that has no name. */
export function labelOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
