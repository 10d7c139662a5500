import type { Prompt, PromptAnswer } from '../../../src/seam/prompt.ts'
import type { AnswerResult } from '../../../src/state/chat-options.ts'
import { endOf } from '../../../src/state/prompts.ts'
import { canonicalJson } from '../../../src/server/run/json-schema-check.ts'
import { loggedId } from './consent-clients.ts'
import type { LogWitness, SettledEntry } from './log-witness.ts'
import { promise } from './promise.ts'

/** An answer that a user gave: in a page, or on another device. */
export interface Given {
  /** As the page calls it. */
  readonly promptId: string
  readonly answer: PromptAnswer
  /** The page it was given in. Undefined: another device. */
  readonly page: unknown
  /** What became of it, and when that was known. */
  result: AnswerResult['status'] | undefined
  at: number
}

/** An answer that was confirmed to the user is the one that the agent has, and it had it by then. */
export function checkGiven({ promptId, answer, result, at }: Given, { prompts }: LogWitness): void {
  if (result !== 'accepted') return
  const settled = prompts.get(loggedId(promptId))?.settled[0]
  promise(
    settled?.answer !== undefined && settled.at <= at && meansTheSame(settled.answer, answer),
    () =>
      `${JSON.stringify(answer)} was confirmed to the user at ${at}, and the agent took ${JSON.stringify(settled)}.`,
  )
}

/** What was confirmed to the user is shown to them: an answer that the agent has is never withdrawn, expired, unconfirmed or open. */
export function checkConfirmed({ promptId, answer, result }: Given, shown: Prompt): void {
  if (result !== 'accepted' || shown.id !== promptId) return
  promise(
    shown.state === endOf(answer),
    () => `${JSON.stringify(answer)} to ${shown.message} was confirmed to the user, and is shown as ${shown.state}.`,
  )
}

/** Whether an answer allows what an approval asks. */
export function isConsent(answer: PromptAnswer): boolean {
  return answer.type === 'option' && ALLOWING.has(answer.optionId)
}

/** The option of the server, and the one that a client of AG-UI makes of it. */
const ALLOWING: ReadonlySet<string> = new Set(['allow-once', 'allow'])

function meansTheSame(taken: NonNullable<SettledEntry['answer']>, answer: PromptAnswer): boolean {
  const optionId = taken['option_id']
  switch (answer.type) {
    case 'option':
      if (answer.optionId === 'deny') return optionId === 'reject-once'
      return (
        optionId === (answer.optionId === 'allow' ? 'allow-once' : answer.optionId) &&
        canonicalJson(taken['edits'] ?? null) === canonicalJson(answer.edits ?? null)
      )
    case 'decline':
    case 'cancel':
      // AG-UI has no word for it: the run is told not to do it.
      return taken['type'] === answer.type || taken['type'] === 'cancel' || optionId === 'reject-once'
    case 'value':
      return taken['type'] === 'value' || taken['type'] === 'done' || optionId === answer.value
    case 'done':
      return taken['type'] === 'done'
  }
}
