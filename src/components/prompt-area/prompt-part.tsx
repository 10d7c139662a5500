'use client'
import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { Prompt } from '../../protocols/prompt.ts'
import { shorten } from '../error-details/describe-error.ts'
import { notLoaded, promptLoading, subscribeToPrompts } from './lazy-prompts.ts'

/** A prompt in the transcript: what was asked, and once its code is here, what became of it. */
export function PromptPart({ prompt }: { readonly prompt: Prompt }): ReactNode {
  const loading = useSyncExternalStore(subscribeToPrompts, promptLoading, notLoaded)
  return typeof loading === 'object' ? (
    <loading.Trace prompt={prompt} />
  ) : (
    <p className="cs-meta cs-clip" dir="auto">
      {capMarks(shorten(prompt.message, 200))}
    </p>
  )
}
