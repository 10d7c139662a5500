'use client'
import { useMemo } from 'react'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import { isRecord } from '../../base/guards.ts'
import type { JsonSchema } from '../../seam/prompt.ts'
import type { FormEntries } from './model/form-entries.ts'
import { startEntries } from './model/form-entries.ts'
import type { FormField } from './model/form-field.ts'
import { measureJson } from './model/measure-json.ts'
import { FORM_LIMITS, largeForm, readForm } from './model/read-form.ts'

interface FormModel {
  readonly form: FormField
  readonly start: FormEntries
  /** What the value is checked against. Undefined: it is too large. */
  readonly schema: JsonSchema | undefined
}

/** The form of a schema. Objects with the same content give the same form, so that one made at every render loses no entry. */
export function useFormModel(schema: JsonSchema, initial: unknown): FormModel {
  const schemaText = useMemo(() => boundedText(schema), [schema])
  const initialText = useMemo(() => boundedText(initial), [initial])
  return useMemo(() => {
    const own = read(schemaText)
    const start = read(initialText)
    const form = isRecord(own) ? readForm(own, start) : largeForm(start)
    return { form, start: startEntries(form), schema: isRecord(own) ? own : undefined }
  }, [schemaText, initialText])
}

/** Undefined: it is nothing, no JSON, or too large. */
function boundedText(value: unknown): string | undefined {
  try {
    return value === undefined || measureJson(value, FORM_LIMITS) === undefined ? undefined : JSON.stringify(value)
  } catch {
    return undefined
  }
}

function read(text: string | undefined): unknown {
  return text === undefined ? undefined : parseBoundedJson(text)
}
