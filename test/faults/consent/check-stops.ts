import type { AskingAgent } from './asking-agent.ts'
import type { LogWitness } from './log-witness.ts'
import { promise } from './promise.ts'

/** What a user was given to understand: the agent no longer works on this run. */
export interface StopClaim {
  readonly requestId: string
  readonly at: number
  /** What `stop()` resolved with, or what a page shows. */
  readonly by: 'stop()' | 'a message'
  readonly page: unknown
}

/**
 * A reported cancel is reliable: the agent function has returned, and has no more effects.
 *
 * @param deaths threads of processes that have died: their agents do nothing
 */
export function checkStops(
  claims: readonly StopClaim[],
  { asked, works }: AskingAgent,
  { runs }: LogWitness,
  deaths: ReadonlySet<unknown>,
): void {
  for (const { requestId, at, by } of claims) {
    // A run whose log died with its process may begin once more, for a page that did not stop it.
    const isOurs = (begunAt: number): boolean => deaths.size === 0 || begunAt <= at
    for (const { message, work, executions } of asked)
      promise(
        work.requestId !== requestId || !isOurs(work.begunAt) || executions.every((execution) => execution.at <= at),
        () => `${by} said cancelled at ${at}, and ${message} was done at ${executions[0]?.at}.`,
      )
    for (const work of works)
      promise(
        work.requestId !== requestId || !isOurs(work.begunAt) || deaths.has(work.process) || hasEnded(work.endedAt, at),
        () => `${by} said cancelled at ${at}, and the agent worked until ${work.endedAt ?? 'the end'}.`,
      )
    for (const run of runs)
      promise(
        run.requestId !== requestId || deaths.size > 0 || run.isLost || run.closed !== undefined,
        () => `${by} said cancelled, and the run of ${requestId} never ends.`,
      )
  }
}

function hasEnded(endedAt: number | undefined, at: number): boolean {
  return endedAt !== undefined && endedAt <= at
}
