import type { Prompt, PromptAnswer } from '../../../src/seam/prompt.ts'
import type { Answering, Elsewhere } from './consent-schedule.ts'
import type { LoggedPrompt } from './log-witness.ts'

/** Whether a step answers a prompt. */
export function isAnswering(what: string): what is Answering {
  return ['allow', 'edit', 'refuse', 'decline', 'cancel', 'wrong'].includes(what)
}

/** What a user says in front of a prompt. */
export function answerTo({ kind, options, subject, schema }: Prompt, what: Answering): PromptAnswer {
  if (what === 'decline' || what === 'cancel') return { type: what }
  if (kind === 'sign-in') return { type: 'done' }
  // AG-UI has one kind for all that is not a consent.
  if (kind === 'form' && Array.isArray(schema?.['enum'])) return { type: 'value', value: schema['enum'][0] ?? 'done' }
  if (kind === 'form') return { type: 'value', value: { count: what === 'wrong' ? 'many' : 3 } }
  const option = options?.[what === 'refuse' ? 1 : 0]
  const allow = { type: 'option', optionId: option?.id ?? '', digest: subject?.digest } as const
  if (what === 'edit') return { ...allow, edits: { ...Object(subject?.input), to: 'Bob' } as unknown }
  return what === 'wrong' ? { ...allow, edits: { to: 7 } } : allow
}

/** What another device says, or somebody who knows the ids and not what is asked. */
export function foreignAnswer(
  { kind, digest }: LoggedPrompt,
  what: Exclude<Elsewhere, 'again' | 'cancel-run'>,
  others: readonly LoggedPrompt[],
): PromptAnswer {
  if (what === 'decline') return { type: 'decline' }
  const optionId = what === 'other-option' ? 'allow-everything' : kind === 'choice' ? 'one' : 'allow-once'
  // A consent to something else, where there is one.
  const other = others.find((each) => each.digest !== undefined && each.digest !== digest)?.digest ?? 'f00d'
  return {
    type: 'option',
    optionId,
    digest: what === 'other-digest' ? other : what === 'no-digest' ? undefined : digest,
  }
}
