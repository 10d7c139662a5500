'use client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useChatStatus } from '../react/chat-context.ts'
import { createLeaseReader } from '../state/run.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { onDemand, useLoadAgain, useOnDemand } from './on-demand.ts'
import type { PromptComponents } from './prompt-components.ts'

/** The code of prompts. A chat loads it when a run starts: the prompt may come after the connection was lost. */
export const promptCode = onDemand(
  async (): Promise<PromptComponents> => (await import('./prompt-components.ts')).promptComponents,
)

/** The prompts above the dock. Their code is loaded when a run starts, so that a prompt is shown in one step. */
export function PromptArea(): ReactNode {
  const status = useChatStatus((snapshot) => snapshot.status)
  const isIdle = status === 'ready' || status === 'error'
  const [hasRun, setHasRun] = useState(!isIdle)
  if (!isIdle && !hasRun) setHasRun(true)
  // It stays mounted: the outcome of a prompt is announced after its removal.
  return hasRun ? <LoadedDock isAsked={status === 'awaiting-input'} /> : null
}

function LoadedDock({ isAsked }: { readonly isAsked: boolean }): ReactNode {
  const strings = useDictionary()
  const code = useOnDemand(promptCode, true)
  const loadAgain = useLoadAgain(promptCode, isAsked)
  if (code) return <code.Dock />
  return loadAgain ? (
    <div className="cs-part cs-dock">
      <div className="cs-status-row" data-tone="caution" role="alert">
        <p className="cs-status-row-words">{strings.composer.questionNotShown}</p>
        <button type="button" className="cs-button" data-kind="link" onClick={loadAgain}>
          {strings.ending.tryAgain}
        </button>
      </div>
    </div>
  ) : null
}

/** What the user has allowed for a time, below the header. Its code is that of the prompts, fetched with the first lease. */
export function LeaseArea(): ReactNode {
  const [read] = useState(createLeaseReader)
  const hasLeases = useChatStatus(({ messages }) => read(messages).some(({ lease }) => lease.state === 'active'))
  const [hadLeases, setHadLeases] = useState(hasLeases)
  if (hasLeases && !hadLeases) setHadLeases(true)
  // It stays mounted: the end of a prompt is announced after its removal.
  return hadLeases ? <LoadedLeases /> : null
}

function LoadedLeases(): ReactNode {
  const code = useOnDemand(promptCode, true)
  return code ? <code.Leases /> : null
}
