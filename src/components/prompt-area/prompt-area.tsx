'use client'
import type { ReactNode } from 'react'
import { useState, useSyncExternalStore } from 'react'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { loadPrompts, notLoaded, promptLoading, subscribeToPrompts } from './lazy-prompts.ts'

/** The prompts above the composer. Their code is fetched when the first one waits for the user. */
export function PromptArea(): ReactNode {
  const isAsked = useChatSelector(({ status }) => status === 'awaiting-input')
  const [wasAsked, setWasAsked] = useState(isAsked)
  if (isAsked && !wasAsked) setWasAsked(true)
  // It stays: what became of a prompt is told after it has gone.
  return wasAsked ? <LoadedDock isAsked={isAsked} /> : null
}

function LoadedDock({ isAsked }: { readonly isAsked: boolean }): ReactNode {
  const strings = useDictionary()
  const loading = useSyncExternalStore(subscribeToPrompts, promptLoading, notLoaded)
  if (typeof loading === 'object') return <loading.Dock />
  return loading === 'failed' && isAsked ? (
    <div className="cs-status-row" data-tone="caution" role="alert">
      <p className="cs-status-row-words">{strings.composer.questionNotShown}</p>
      <button type="button" className="cs-button" data-kind="link" onClick={loadPrompts}>
        {strings.ending.tryAgain}
      </button>
    </div>
  ) : null
}
