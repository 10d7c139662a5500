'use client'
import type { ReactNode } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import type { Lease } from '../seam/lease.ts'
import type { Prompt } from '../seam/prompt.ts'
import { isUndecided } from '../state/prompts.ts'
import { shorten } from './error-details.tsx'
import { useOnDemand } from './on-demand.ts'
import { promptCode } from './prompt-area.tsx'

/** A prompt in the transcript: what was asked, and once its code is here, what became of it. */
export function PromptPart({ prompt }: { readonly prompt: Prompt }): ReactNode {
  const code = useOnDemand(promptCode, true)
  if (!code) return <NotYet words={prompt.message} />
  // While the card shows it too, screen readers get it from the card.
  return <code.Trace prompt={prompt} aria-hidden={isUndecided(prompt) || undefined} />
}

/** A lease in the transcript: what was allowed, and once its code is here, its state. */
export function LeasePart({ lease }: { readonly lease: Lease }): ReactNode {
  const code = useOnDemand(promptCode, true)
  return code ? <code.LeaseTrace lease={lease} /> : <NotYet words={lease.name} />
}

function NotYet({ words }: { readonly words: string }): ReactNode {
  return (
    <p className="cs-meta cs-clip" dir="auto">
      {capMarks(shorten(words, 200))}
    </p>
  )
}
