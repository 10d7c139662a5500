import type { ChatSnapshot } from '../../../src/state/chat-snapshot.ts'
import type { Prompt, PromptState } from '../../../src/seam/prompt.ts'
import { isUndecided, promptsOf } from '../../../src/state/prompts.ts'
import { promise } from './promise.ts'
import { rootOf } from './run-root.ts'

/** Looks at every snapshot of one page. */
export interface PageWatch {
  see(snapshot: ChatSnapshot): void
  /** The page edits the question of a run, which cancels its prompts. They are open again where another tab leads by now, until the edit arrives there. */
  edits(requestId: string): void
}

/**
 * A prompt that a page has shown as settled stays so, and a stop that it has shown as confirmed too.
 *
 * @param onCancelled is told once of each run that is shown as cancelled
 */
export function watchPage(onCancelled: (requestId: string) => void): PageWatch {
  const settled = new Map<string, PromptState>()
  const cancelled = new Set<string>()
  const edited = new Set<string>()

  function seePrompt(prompt: Prompt): void {
    const { id, message, state } = prompt
    const before = settled.get(id)
    promise(
      before === undefined || !isUndecided(prompt),
      () => `${message} was shown as ${before}, and is shown as ${state} again.`,
    )
    if (!isUndecided(prompt)) settled.set(id, state)
  }

  return {
    see({ messages }) {
      for (const [index, message] of messages.entries()) {
        const root = rootOf(messages.slice(0, index + 1)) ?? ''
        if (!edited.has(root)) for (const prompt of promptsOf(message)) seePrompt(prompt)
        const { id, stop } = message
        if (stop !== 'cancelled' || cancelled.has(id)) continue
        cancelled.add(id)
        onCancelled(root)
      }
    },
    edits: (requestId) => void edited.add(requestId),
  }
}
