import type { ComponentType } from 'react'
import type { Lease } from '../../protocols/lease.ts'
import type { Prompt } from '../../protocols/prompt.ts'

/** The components of prompts, once their code is here. */
export interface PromptComponents {
  readonly Dock: ComponentType
  readonly Trace: ComponentType<{ readonly prompt: Prompt }>
  readonly Leases: ComponentType
  readonly LeaseTrace: ComponentType<{ readonly lease: Lease }>
}

export type PromptLoading = 'loading' | 'failed' | PromptComponents

let state: PromptLoading = 'loading'
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

export function promptLoading(): PromptLoading {
  return state
}

/** On a server, and in the first render of a page that was rendered there. */
export function notLoaded(): PromptLoading {
  return 'loading'
}

/** Fetches the code for the first who asks. */
export function subscribeToPrompts(listener: () => void): () => void {
  listeners.add(listener)
  loadPrompts()
  return () => listeners.delete(listener)
}

/** Fetches the code, again after a failure. */
export function loadPrompts(): void {
  if (loading !== undefined) return
  publish(typeof state === 'object' ? state : 'loading')
  loading = import('./prompt-components.ts').then(
    ({ promptComponents }) => publish(promptComponents),
    () => {
      loading = undefined
      publish('failed')
    },
  )
}

function publish(next: PromptLoading): void {
  state = next
  for (const listener of listeners) listener()
}
