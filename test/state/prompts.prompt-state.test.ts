import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Prompt } from '../../src/seam/prompt.ts'
import {
  askAgain,
  confirmPrompt,
  isUndecided,
  movePrompt,
  nextPromptState,
  settlePrompt,
} from '../../src/state/prompts.ts'
import { promptOf } from '../support/prompts.ts'

const UNDECIDED = ['open', 'staged', 'sending', 'unconfirmed'] as const
const ENDS = ['answered', 'declined', 'cancelled', 'answered-elsewhere', 'expired', 'withdrawn'] as const
const INPUTS = ['staged', 'sent', 'lost', 'reopened', ...ENDS] as const

describe('the states of a prompt', () => {
  it('are left from no end', () => {
    for (const end of ENDS) for (const input of INPUTS) expect(nextPromptState(end, input)).toBe(end)
  })

  it('lead to each end from every state that is undecided', () => {
    for (const from of UNDECIDED) for (const end of ENDS) expect(nextPromptState(from, end)).toBe(end)
  })

  it('go back to open only when the agent refused the answer or the user took it back', () => {
    const back = UNDECIDED.filter((from) => from !== 'open').flatMap((from) =>
      INPUTS.flatMap((input) => (nextPromptState(from, input) === 'open' ? [`${from} ${input}`] : [])),
    )
    expect(back.toSorted()).toEqual(['sending reopened', 'staged reopened'])
  })

  it('are what the diagram says', () => {
    const source = readFileSync(new URL('../../src/state/prompts.ts', import.meta.url), 'utf8')
    const drawn = [...source.matchAll(/^ +([a-z-]+) --> ([a-z-]+): ([a-z-]+)$/gm)].flatMap(([, from, to, input]) =>
      (from === 'undecided' ? UNDECIDED : [from]).map((each) => `${each} ${input} ${to}`),
    )
    const written = UNDECIDED.flatMap((from) =>
      INPUTS.flatMap((input) => {
        const to = nextPromptState(from, input)
        return to === from ? [] : [`${from} ${input} ${to}`]
      }),
    )
    expect(drawn.toSorted()).toEqual(written.toSorted())
  })
})

describe('a prompt', () => {
  it('stays the same object when nothing changes', () => {
    const prompt = promptOf({ state: 'answered' })
    expect(movePrompt(prompt, 'withdrawn')).toBe(prompt)
  })

  it('that is asked again keeps what the user has said to it', () => {
    const known = promptOf({ state: 'sending', answerId: 'a1', answer: { type: 'done' } })
    expect(askAgain(known, promptOf({ message: 'Once more' }))).toMatchObject({
      state: 'sending',
      answerId: 'a1',
      message: 'Once more',
    })
  })

  it('that asks for something else is open again, whatever was said to it', () => {
    const known = promptOf({ state: 'sending', answerId: 'a1', subject: { name: 'rm', input: 1, digest: 'd1' } })
    const other = promptOf({ subject: { name: 'rm', input: 2, digest: 'd2' } })
    expect(askAgain(known, other)).toBe(other)
  })

  it('that has ended is not asked again', () => {
    const known = promptOf({ state: 'expired' })
    expect(askAgain(known, promptOf())).toBe(known)
  })

  const settled = (known: Prompt, answerId?: string): Prompt =>
    settlePrompt(known, { type: 'prompt-settled', streamId: 's1', promptId: 'p1', state: 'answered', answerId })

  it('is answered by the id that was sent from here, and elsewhere by any other', () => {
    expect(settled(promptOf({ state: 'sending', answerId: 'a1' }), 'a1').state).toBe('answered')
    expect(settled(promptOf({ state: 'unconfirmed', answerId: 'a1' }), 'a1').state).toBe('answered')
    expect(settled(promptOf({ state: 'sending', answerId: 'a1' }), 'a2')).toMatchObject({
      state: 'answered-elsewhere',
      answerId: 'a2',
    })
    expect(settled(promptOf(), 'a2').state).toBe('answered-elsewhere')
    expect(settled(promptOf()).state).toBe('answered-elsewhere')
  })

  it('that was withdrawn while this answer was on its way is answered once the agent says so, and by no other answer', () => {
    const withdrawn = promptOf({ state: 'withdrawn', answerId: 'a1' })
    expect(confirmPrompt(withdrawn, 'a1', { type: 'option', optionId: 'yes' }).state).toBe('answered')
    expect(confirmPrompt(withdrawn, 'a1', { type: 'decline' }).state).toBe('declined')
    expect(confirmPrompt(withdrawn, 'a2', { type: 'option', optionId: 'yes' })).toBe(withdrawn)
    const expired = promptOf({ state: 'expired', answerId: 'a1' })
    expect(confirmPrompt(expired, 'a1', { type: 'option', optionId: 'yes' })).toBe(expired)
  })

  it('is expired or withdrawn by the agent alone, whatever was sent', () => {
    for (const state of ['expired', 'withdrawn'] as const) {
      const event = { type: 'prompt-settled', streamId: 's1', promptId: 'p1', state } as const
      expect(settlePrompt(promptOf({ state: 'sending', answerId: 'a1' }), event).state).toBe(state)
    }
  })

  it('is undecided until it has ended', () => {
    expect(isUndecided(promptOf({ state: 'unconfirmed' }))).toBe(true)
    expect(isUndecided(promptOf({ state: 'withdrawn' }))).toBe(false)
  })
})
