'use client'
import type { PromptControls } from '../use-prompts.ts'
import type { ArcpHookOptions } from './arcp-provider.tsx'
import { useArcpClient } from './arcp-provider.tsx'
import { controlsOf } from './prompt-controls.ts'
import { hasSameItems, useArcpView } from './use-arcp-view.ts'

export interface ArcpPromptsOptions extends ArcpHookOptions {
  /** Only those that this job asks. @default those of all jobs */
  readonly jobId?: string | undefined
  /** Also those that have ended, whose state says how: `expired`, `answered-elsewhere`, `withdrawn` and others. @default false */
  readonly ended?: boolean | undefined
}

/**
 * What the jobs of the session ask the user, oldest first, with the ways to answer: the components of prompts take them as
 * `controls`. The list and its items are the same objects until one of them changes.
 *
 * @example
 * ```tsx
 * import { useArcpPrompts } from 'capstan/arcp/react'
 * import { PromptCard } from 'capstan/prompts'
 *
 * export const Questions = () =>
 *   useArcpPrompts().map((controls) => <PromptCard key={controls.prompt.id} controls={controls} />)
 * ```
 */
export function useArcpPrompts({
  client: given,
  jobId,
  ended = false,
}: ArcpPromptsOptions = {}): readonly PromptControls[] {
  const client = useArcpClient(given, 'useArcpPrompts')
  return useArcpView(
    client,
    (view) =>
      [...view.state.prompts.values()]
        .filter((asked) => jobId === undefined || asked.jobId === jobId)
        .filter(({ state }) => ended || state === 'open' || state === 'sent')
        .map((asked) => controlsOf(client, asked, view)),
    hasSameItems,
  )
}
