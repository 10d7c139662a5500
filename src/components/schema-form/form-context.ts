'use client'
import { createContext, useContext } from 'react'
import type { FormEntries } from './model/form-entries.ts'
import type { SchemaFormStrings } from '../../strings/form.ts'

/** What is wrong, as it is shown at a field. */
export interface ShownError {
  readonly id: string
  readonly text: string
}

/** What the fields of a form share. */
export interface FormState {
  readonly strings: SchemaFormStrings
  readonly entries: FormEntries
  readonly errors: readonly ShownError[]
  /** Nothing can be entered now. */
  readonly isLocked: boolean
  /** Something was entered in the field of this id. */
  readonly change: (id: string, entry: string) => void
  /** Rows came or went; the field of an id gets the focus once it is there. */
  readonly replace: (listId: string, entries: FormEntries, focus: string) => void
}

export const FormContext = createContext<FormState | undefined>(undefined)

export function useForm(): FormState {
  const form = useContext(FormContext)
  if (form === undefined) throw new Error('A field is shown outside of a form.')
  return form
}
