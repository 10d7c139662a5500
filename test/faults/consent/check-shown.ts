import type { Prompt } from '../../../src/seam/prompt.ts'
import { isUndecided } from '../../../src/state/prompts.ts'
import { isConsent } from './check-answers.ts'
import { carriesAnswersInRuns, loggedId } from './consent-clients.ts'
import type { WireKind } from './consent-schedule.ts'
import type { LogWitness, SettledEntry } from './log-witness.ts'
import { promise } from './promise.ts'

/**
 * A prompt as a page shows it when everything has ended.
 *
 * @param unsure prompts with an answer of which this page, or the one that sent it, has not learned what became of it
 * @param foreign prompts that another device has answered, of which this page hears nothing
 */
export function checkShown(
  shown: Prompt,
  wire: WireKind | undefined,
  { prompts }: LogWitness,
  unsure: ReadonlySet<string>,
  foreign: ReadonlySet<string>,
): void {
  const { id, message, state, answerId } = shown
  const logged = prompts.get(loggedId(id))
  const settled = logged?.settled[0]
  const isOver = logged === undefined || logged.run.isLost || logged.run.closed !== undefined
  // An answer that was sent to a run which is gone, or with a run that failed: nobody can find out any more.
  const isUnknowable = state === 'unconfirmed' && (carriesAnswersInRuns(wire) || (unsure.has(loggedId(id)) && isOver))
  promise(!isUndecided(shown) || isUnknowable, () => `${message} is still ${state} when everything has ended.`)
  if (carriesAnswersInRuns(wire)) checkMeaning(shown, settled, foreign)
  else checkState(shown, settled)
  // A run that is lost cannot tell a device that another one has sent the same answer.
  const isTold = logged?.run.isLost !== true || !foreign.has(loggedId(id))
  if ((state === 'withdrawn' || state === 'expired') && isTold)
    promise(
      settled?.answerId === undefined || settled.answerId !== answerId,
      () => `${message} is shown as ${state}, and the agent took the answer of this page.`,
    )
}

/** Answers are commands: a page shows what the log says. */
function checkState({ message, state }: Prompt, settled: SettledEntry | undefined): void {
  if (state === 'answered' || state === 'declined' || state === 'cancelled' || state === 'expired')
    promise(
      settled?.state === state,
      () => `${message} is shown as ${state}, and the log says ${settled?.state ?? 'nothing'}.`,
    )
  if (state === 'answered-elsewhere')
    promise(settled?.answerId !== undefined, () => `${message} is shown as answered elsewhere, and nobody answered it.`)
}

/** The protocol has fewer words than the log: what is shown as allowed was allowed, and nothing else was. */
function checkMeaning(
  { id, message, state, answer }: Prompt,
  settled: SettledEntry | undefined,
  foreign: ReadonlySet<string>,
): void {
  const isAllowed = settled?.answer?.['option_id'] === 'allow-once'
  if (state === 'answered' && answer !== undefined && isConsent(answer))
    promise(isAllowed, () => `${message} is shown as allowed, and the log says ${JSON.stringify(settled)}.`)
  // Cancelling is between a user and the page, where the protocol has no request for it.
  if (state === 'declined' || (state === 'cancelled' && !foreign.has(loggedId(id))))
    promise(!isAllowed, () => `${message} is shown as ${state}, and it was allowed.`)
}
