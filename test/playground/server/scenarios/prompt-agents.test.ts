import { describe, expect, it } from 'vitest'
import type { ScenarioId } from '../../../../playground/server/scenarios/scenario-list.ts'
import type { Prompt, PromptAnswer } from '../../../../src/seam/prompt.ts'
import { createManualClock } from '../../../support/manual-clock.ts'
import { instantPace } from '../../instant-pace.ts'
import type { OpenChat } from '../../open-chat.ts'
import { openChat } from '../../open-chat.ts'
import { openPlayground } from '../../open-playground.ts'

/** A chat that has asked the agent of a scenario, and the prompt that came back. */
async function play(
  scenario: ScenarioId,
): Promise<OpenChat & { readonly prompt: Prompt; readonly done: Promise<unknown> }> {
  const opened = openChat(await openPlayground(), scenario)
  const done = opened.chat.sendMessage('Go on')
  return { ...opened, prompt: await opened.asked(), done }
}

function choose({ options, subject }: Prompt, kind: string, edits?: unknown): PromptAnswer {
  const option = options?.find((each) => each.kind === kind)
  return { type: 'option', optionId: option?.id ?? '', digest: subject?.digest, edits }
}

describe('an agent that asks', () => {
  it('approval: books what was allowed, as it was changed', async () => {
    const { chat, prompt, done, text } = await play('approval')
    const edits = { boat: 'Otter', pier: 'Lower Ferry', hours: 5, note: '' }
    expect(await chat.answer(prompt.id, choose(prompt, 'allow-once', { ...edits, hours: 12 }))).toMatchObject({
      status: 'invalid',
      errors: [{ path: '/hours' }],
    })
    expect(await chat.answer(prompt.id, choose(prompt, 'allow-once', edits))).toEqual({ status: 'accepted' })
    await done
    expect(text()).toContain('Booked: Otter for 5 hours, as you changed it.')
    expect(chat.getSnapshot().messages[1]?.parts.find(({ type }) => type === 'tool-call')).toMatchObject({
      status: 'complete',
      input: edits,
      output: { booking: 'B-1071', hours: 5 },
    })
  })

  it.each<[string, PromptAnswer | undefined, string]>([
    ['refused', undefined, 'You said no.'],
    ['declined', { type: 'decline' }, 'You said no.'],
    ['dismissed', { type: 'cancel' }, 'You dismissed the question.'],
  ])('approval: books nothing when it is %s', async (_how, answer, why) => {
    const { chat, prompt, done, text } = await play('approval')
    await chat.answer(prompt.id, answer ?? choose(prompt, 'reject-once'))
    await done
    expect(text()).toContain(`${why} Nothing is booked.`)
    expect(chat.getSnapshot().messages[1]?.parts.find(({ type }) => type === 'tool-call')).toMatchObject({
      status: 'denied',
    })
  })

  it('choice: continues with what was chosen', async () => {
    const { chat, prompt, done, text } = await play('choice')
    expect(prompt).toMatchObject({ kind: 'choice', onExpiry: 'default' })
    await chat.answer(prompt.id, { type: 'option', optionId: 'hampshire' })
    await done
    expect(text()).toContain('The Hampshire Avon is about 96 km long')
  })

  it('choice: takes the default when nobody answers, and says so', async () => {
    const clock = createManualClock()
    const { chat, asked, prompts, text } = openChat(await openPlayground({ clock }), 'choice')
    const done = chat.sendMessage('How long is the Avon?')
    await asked()
    await clock.advance(120_000)
    await done
    expect(prompts().map(({ state }) => state)).toEqual(['expired'])
    expect(text()).toContain('You did not say')
  })

  it('form: refuses a value with an error at its field, and files the corrected one', async () => {
    const { chat, prompt, done, text } = await play('form')
    const value = { station: 'Lower Ferry', level_m: 21.4, date: '2026-03-01', trend: 'steady' }
    expect(await chat.answer(prompt.id, { type: 'value', value })).toEqual({
      status: 'invalid',
      errors: [{ path: '/level_m', message: 'The gauge ends at 9 m. Is that in decimetres?' }],
    })
    await chat.answer(prompt.id, { type: 'value', value: { ...value, level_m: 2.14 } })
    await done
    expect(text()).toContain('Filed: 2.14 m at Lower Ferry on 2026-03-01.')
  })

  it('sign-in: leads to a page of this server that asks for nothing', async () => {
    const { chat, prompt, done, text } = await play('sign-in')
    const page = await fetch(prompt.url ?? '')
    expect(page.status).toBe(200)
    expect(await page.text()).not.toContain('<input')
    await chat.answer(prompt.id, { type: 'done' })
    await done
    expect(text()).toContain('It stands at 2.14 m')
  })

  it('permission: says what each duration grants', async () => {
    const { chat, prompt, done, text } = await play('permission')
    expect(prompt.options?.filter(({ kind }) => kind === 'allow-always')).toMatchObject([
      { grants: 'Read all 12 gauges of the lower reach.', ttlMs: 900_000 },
      { grants: 'Read all 12 gauges of the lower reach, in every conversation.' },
    ])
    await chat.answer(prompt.id, choose(prompt, 'allow-always'))
    await done
    expect(text()).toContain('All 12 gauges are below their marks')
  })

  it('several-prompts: asks for a group, and does what was allowed of it', async () => {
    const { chat, until, prompts, done, text } = await play('several-prompts')
    await until(() => prompts().length === 3)
    expect(new Set(prompts().map(({ group }) => group)).size).toBe(1)
    for (const [at, prompt] of prompts().entries())
      await chat.answer(prompt.id, choose(prompt, at === 1 ? 'reject-once' : 'allow-once'))
    await done
    expect(text()).toContain('Done: boats.book, harbour.notify.')
  })

  it('is stopped while it waits, and withdraws its question', async () => {
    const { chat, prompts } = await play('approval')
    expect(await chat.stop()).toBe('cancelled')
    expect(prompts().map(({ state }) => state)).toEqual(['withdrawn'])
  })
})

describe('commands that meet a fault', () => {
  it('answer-lost: the events of the run confirm it, and the boat is booked once', async () => {
    const clock = createManualClock()
    const playground = await openPlayground({ clock })
    const { chat, asked, prompts, text } = openChat(playground, 'answer-lost')
    const done = chat.sendMessage('The boat, please')
    const prompt = await asked()
    expect(await chat.answer(prompt.id, choose(prompt, 'allow-once'))).toEqual({ status: 'accepted' })
    await clock.advance(1_500)
    expect(['accepted', 'too-late']).toContain((await chat.answer(prompt.id, choose(prompt, 'allow-once'))).status)
    await done
    expect(prompts().map(({ state }) => state)).toEqual(['answered'])
    expect(text().match(/Booked:/g)).toHaveLength(1)
  })

  it('answer-refused: the prompt is open again, and takes the next answer', async () => {
    const { chat, prompt, prompts, done, text } = await play('answer-refused')
    expect(await chat.answer(prompt.id, choose(prompt, 'allow-once'))).toMatchObject({
      status: 'refused',
      error: { agentCode: 'forbidden' },
    })
    expect(prompts().map(({ state }) => state)).toEqual(['open'])
    expect(await chat.answer(prompt.id, choose(prompt, 'allow-once'))).toEqual({ status: 'accepted' })
    await done
    expect(text()).toContain('Booked: Otter for 3 hours.')
  })

  it('prompt-expired: nothing is booked', async () => {
    const clock = createManualClock()
    const playground = await openPlayground({ clock, pace: { ...instantPace, stepMs: 1 } })
    const { chat, asked, prompts, text } = openChat(playground, 'prompt-expired')
    const done = chat.sendMessage('The boat, please')
    const prompt = await asked()
    await clock.advance(20_000)
    await done
    expect(prompts().map(({ state }) => state)).toEqual(['expired'])
    expect(await chat.answer(prompt.id, choose(prompt, 'allow-once'))).toEqual({ status: 'too-late' })
    expect(text()).toContain('Nobody answered in time. Nothing is booked.')
  })

  it('prompt-withdrawn: the agent takes its question back', async () => {
    const clock = createManualClock()
    const playground = await openPlayground({ clock, pace: { ...instantPace, stepMs: 1 } })
    const { chat, asked, prompts, text } = openChat(playground, 'prompt-withdrawn')
    const done = chat.sendMessage('The boat, please')
    await asked()
    await clock.advance(8_000)
    await done
    expect(prompts().map(({ state }) => state)).toEqual(['withdrawn'])
    expect(text()).toContain('I take my question back')
  })

  it('stop-left: the agent cannot be told, and nothing else is claimed', async () => {
    const clock = createManualClock()
    const playground = await openPlayground({ clock, pace: { ...instantPace, stepMs: 1 } })
    const { chat, until } = openChat(playground, 'stop-left')
    void chat.sendMessage('Read all the gauges')
    await until(({ status }) => status === 'streaming')
    expect(await chat.stop()).toBe('left')
    expect(chat.getSnapshot().messages[1]).toMatchObject({ status: 'stopped', stop: 'left' })
  })
})
