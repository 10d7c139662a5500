import { describe, expect, it } from 'vitest'
import { traceOf } from '../../src/components/prompt-trace.tsx'
import { englishPrompts } from '../../src/strings/prompts.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import { promptOf } from '../support/prompts.ts'

const SUBJECT = { name: 'send_mail', input: {}, digest: 'd' }
const OPTIONS: Prompt['options'] = [
  { id: 'once', label: 'Allow', kind: 'allow-once' },
  { id: 'always', label: 'Always', kind: 'allow-always' },
  { id: 'hour', label: 'An hour', kind: 'allow-always', ttlMs: 3_600_000 },
  { id: 'lease', label: 'Allow', kind: 'allow-once', ttlMs: 60_000 },
  { id: 'unsaid', label: 'Allow', kind: 'allow-once', ttlMs: null },
  { id: 'no', label: 'Deny', kind: 'reject-once' },
  { id: 'other', label: 'Later', kind: 'neutral' },
]
const trace = (changes: Partial<Prompt>): string =>
  traceOf(promptOf({ subject: SUBJECT, options: OPTIONS, ...changes }), englishPrompts.trace)

describe('the row of a prompt in the transcript', () => {
  it.each([
    ['once', undefined, 'You allowed send_mail once'],
    ['always', undefined, 'You allowed send_mail from now on'],
    ['hour', undefined, 'You allowed send_mail for 60 min'],
    ['lease', undefined, 'You allowed send_mail for 60 s'],
    ['unsaid', undefined, 'You allowed send_mail'],
    ['no', undefined, 'You did not allow send_mail'],
    ['other', undefined, 'You chose “Later”'],
    ['once', { to: 'b' }, 'You allowed send_mail once (with changes)'],
    ['gone', undefined, 'You answered'],
  ])('says what was allowed: %s', (optionId, edits, words) => {
    const answer = { type: 'option', optionId, ...(edits && { edits }) } as const
    expect(trace({ state: 'answered', answer })).toBe(words)
  })

  it('names the option where nothing is to be done', () => {
    expect(trace({ state: 'answered', subject: undefined, answer: { type: 'option', optionId: 'once' } })).toBe(
      'You chose “Allow”',
    )
  })

  it.each([
    [{ type: 'value', value: 1 }, 'You sent the form'],
    [{ type: 'done' }, 'You signed in'],
    [{ type: 'decline' }, 'You declined'],
    [{ type: 'cancel' }, 'You cancelled'],
    [undefined, 'You answered'],
  ] as const)('says what was answered: %o', (answer, words) => {
    expect(trace({ state: 'answered', answer })).toBe(words)
  })

  it.each([
    ['open', 'Waiting for your answer'],
    ['staged', 'Answered, not sent yet'],
    ['sending', 'Sending your answer…'],
    ['unconfirmed', 'Not known whether your answer arrived'],
    ['declined', 'You declined'],
    ['cancelled', 'You cancelled'],
    ['expired', 'Expired without an answer'],
    ['answered-elsewhere', 'Answered elsewhere'],
    ['withdrawn', 'Withdrawn without an answer'],
  ] as const)('never claims consent in the state %s', (state, words) => {
    expect(trace({ state, answer: { type: 'option', optionId: 'once' } })).toBe(words)
  })

  it('cuts names that nobody would read to their end', () => {
    const name = 'x'.repeat(500)
    const answer = { type: 'option', optionId: 'once' } as const
    expect(trace({ state: 'answered', answer, subject: { ...SUBJECT, name } }).length).toBeLessThan(120)
  })
})
