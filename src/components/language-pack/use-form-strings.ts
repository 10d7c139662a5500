'use client'
import { usePack } from './use-pack.ts'
import { englishForm } from '../form-strings/english-form.ts'
import type { SchemaFormStrings } from '../form-strings/schema-form-strings.ts'

/** The words of a form: those given, or those of the dictionary's language. Undefined while they are fetched. */
export function useFormStrings(given: SchemaFormStrings | undefined): SchemaFormStrings | undefined {
  return usePack('form', englishForm, given)
}
