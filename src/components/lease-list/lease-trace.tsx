'use client'
import type { ReactNode } from 'react'
import type { Lease } from '../../seam/lease.ts'
import { Icon } from '../internals/icon.tsx'
import { leaseName } from './lease-name.ts'
import { PromptStringsProvider, usePromptStrings } from '../dictionary/prompt-strings-context.tsx'

/** A lease in the transcript: a row without controls that says its state. */
export function LeaseTrace({ lease }: { readonly lease: Lease }): ReactNode {
  return (
    <div className="cs-part cs-prompt-trace">
      <Icon name={lease.state === 'active' ? 'check' : lease.state === 'expired' ? 'clock' : 'x'} />
      <PromptStringsProvider>
        <Words lease={lease} />
      </PromptStringsProvider>
    </div>
  )
}

function Words({ lease }: { readonly lease: Lease }): ReactNode {
  const strings = usePromptStrings().lease
  return (
    <p className="cs-prompt-trace-words" dir="auto">
      {strings.traces[lease.state](leaseName(lease))}
    </p>
  )
}
