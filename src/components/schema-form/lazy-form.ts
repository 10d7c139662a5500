import type { ComponentType, Ref } from 'react'
import type { SchemaFormProps } from './schema-form.tsx'

/** The fields of a form, once their code is here. */
export interface FormCode {
  readonly Body: ComponentType<SchemaFormProps & { readonly rootRef: Ref<HTMLFormElement> }>
}

export type FormLoading = 'loading' | 'failed' | FormCode

let state: FormLoading = 'loading'
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

export function formLoading(): FormLoading {
  return state
}

/** On a server, and in the first render of a page that was rendered there. */
export function formNotLoaded(): FormLoading {
  return 'loading'
}

/** Fetches the code for the first who asks. */
export function subscribeToForm(listener: () => void): () => void {
  listeners.add(listener)
  void loadForm()
  return () => listeners.delete(listener)
}

/** Fetches the code, again after a failure. */
export function loadForm(): Promise<void> {
  if (loading !== undefined) return loading
  publish('loading')
  loading = import('./form-code.ts').then(
    ({ formCode }) => publish(formCode),
    () => {
      loading = undefined
      publish('failed')
    },
  )
  return loading
}

function publish(next: FormLoading): void {
  state = next
  for (const listener of listeners) listener()
}
