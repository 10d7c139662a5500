import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RIVER_FORMULAS } from '../../playground/server/scenarios/river-formulas.ts'
import { riverGuide } from '../../playground/server/scenarios/river-guide.ts'
import {
  ARABIC_ANSWER,
  INNER_BANK,
  MEANDER_ANSWER,
  OUTER_BANK,
  riverAnswer,
  riverDiary,
} from '../../playground/server/scenarios/river-prose.ts'
import type { ScenarioId } from '../../playground/server/scenarios/scenario-list.ts'
import { scenarios } from '../../playground/server/scenarios/scenario-list.ts'
import type { BenchPage } from './bench-page.ts'
import type { Bench } from './open-bench.ts'
import { openBench } from './open-bench.ts'

let bench: Bench
let user: BenchPage
const played = new Set<ScenarioId>()

beforeAll(async () => {
  bench = await openBench()
  user = await bench.open()
})

afterAll(() => bench?.close())

/** Chooses a scenario in the rail, as a user does. */
async function play(id: ScenarioId, settings: Readonly<Record<string, string>> = {}): Promise<void> {
  played.add(id)
  for (const [label, value] of Object.entries(settings)) await user.set(label, value)
  await user.choose(scenarios.find((scenario) => scenario.id === id)?.title ?? '')
}

beforeEach(() => user.afresh())

afterEach(() => {
  expect(user.problems).toEqual([])
})

/** No moment at which the answer counted as complete and was not. */
async function neverCompleteTooEarly(text: string): Promise<void> {
  for (const look of await user.looks()) {
    if (look.status === 'complete') expect(look.text).toBe(text)
    else expect(text.startsWith(look.text)).toBe(true)
  }
}

async function attempts(): Promise<number> {
  return (await bench.run(await user.requestId())).attempts.length
}

describe('answers in the browser', () => {
  it.each<[ScenarioId, string]>([
    ['plain-text', MEANDER_ANSWER],
    ['long-answer', riverDiary(96)],
    ['right-to-left', ARABIC_ANSWER],
    ['slow-stream', MEANDER_ANSWER.split('\n\n')[0] ?? ''],
  ])('%s: the text as it was said, complete', async (id, text) => {
    await play(id)
    await user.ends('complete')
    expect(await user.text()).toBe(text)
    await neverCompleteTooEarly(text)
    expect(await attempts()).toBe(1)
  })

  it('thought-and-citations: a folded thought, marks in the text, sources that lead to their page', async () => {
    await play('thought-and-citations')
    await user.ends('complete')
    await user.answers().locator('summary', { hasText: 'Thought' }).click()
    await user.answers().getByText('Three notes cover that.').waitFor()
    const sources = user.answers().locator('a.cs-source')
    expect(await sources.count()).toBe(3)
    expect(await user.answers().locator('.cs-prose button.cs-cite').count()).toBe(3)
    const [opened] = await Promise.all([user.page.waitForEvent('popup'), sources.last().click()])
    await opened.locator('#oxbow-lakes').waitFor()
    await opened.close()
  })

  it('many-sources: some below the answer, all of them in a panel', async () => {
    await play('many-sources')
    await user.ends('complete')
    expect(await user.answers().locator('.cs-prose .cs-cite').count()).toBe(9)
    await user.answers().getByRole('button', { name: /all 9/ }).click()
    const panel = user.page.getByRole('dialog', { name: 'Sources' })
    await panel.getByText('Under ice').waitFor()
    await user.page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
  })

  it('progress-and-media: steps that end done, pictures that load only when asked', async () => {
    await play('progress-and-media')
    await user.ends('complete')
    await user.answers().getByText('Drawn').waitFor()
    expect(await user.answers().locator('img').count()).toBe(0)
    await user.answers().getByRole('button', { name: 'Load image' }).first().click()
    await user.answers().getByRole('img', { name: 'A river with four bends' }).waitFor()
  })

  it('markdown: where it is off, every letter of it as it was written', async () => {
    await play('markdown')
    await user.ends('complete')
    expect(await user.text()).toBe(riverGuide(bench.origin))
    await neverCompleteTooEarly(riverGuide(bench.origin))
  })

  it('formulas: where markdown is off, every letter of it as it was written', async () => {
    await play('formulas')
    await user.ends('complete')
    expect(await user.text()).toBe(RIVER_FORMULAS)
  })

  it('markdown-block: the note is shown as text, not as markup of the page', async () => {
    await play('markdown-block')
    await user.ends('complete')
    await user.answers().getByText('Oxbow lake').first().waitFor()
    expect(await user.answers().locator('script').count()).toBe(0)
  })

  it('data-and-artifact: a table, and a file to open', async () => {
    await play('data-and-artifact')
    await user.ends('complete')
    await user.answers().getByRole('cell', { name: 'Danube' }).waitFor()
    const file = user.answers().getByRole('link', { name: /Open/ })
    expect(await file.getAttribute('href')).toBe(`${bench.origin}/scenario-media/rivers.csv`)
  })

  it('user-notice: a notice, and the answer continues', async () => {
    await play('user-notice')
    await user.ends('complete')
    await user.answers().getByRole('note').getByText('being repaired').waitFor()
    expect(await user.text()).toContain('Yesterday at noon it stood at 2.14 m')
  })

  it('json-answer: an answer in one piece', async () => {
    await play('json-answer')
    await user.ends('complete')
    expect(await user.answers().textContent()).toContain('The Danube is about 2,850 km long.')
  })

  it('tool-call: the call with what went in and what came out', async () => {
    await play('tool-call')
    await user.ends('complete')
    await user.answers().locator('summary', { hasText: 'gauges.measure' }).click()
    await user.answers().getByText('mean_wavelength_m').waitFor()
  })

  it('every-event: each kind in its own component, the unknown one kept', async () => {
    await play('every-event')
    await user.ends('complete')
    const answer = user.answers('complete')
    await answer.locator('summary', { hasText: 'Thought' }).waitFor()
    await answer.getByText('Answered from 31 gauges').waitFor()
    await answer.getByRole('button', { name: 'Load image' }).first().waitFor()
    await answer.getByRole('cell', { name: 'Danube' }).waitFor()
    await answer.getByRole('link', { name: /Open/ }).waitFor()
    await answer.getByText('being repaired').waitFor()
    await answer.getByText('FLOW_DIAGRAM', { exact: true }).waitFor()
    await answer.getByText('The index is a day old').waitFor()
    expect(await answer.locator('.cs-source').count()).toBeGreaterThanOrEqual(3)
  })

  it('two-streams: both are shown whole, each in its own answer', async () => {
    await play('two-streams')
    await user.answers('complete').nth(1).waitFor()
    const texts = await user.answers().locator('.cs-prose').allTextContents()
    expect(texts.map((text) => text.trim()).toSorted()).toEqual([INNER_BANK, OUTER_BANK])
  })

  it('unknown-event: kept where it came, and the answer continues around it', async () => {
    await play('unknown-event')
    await user.ends('complete')
    await user.answers().getByText('FLOW_DIAGRAM').first().waitFor()
    expect(await user.text()).toContain('It is largest at the mouth.')
  })
})

describe('a conversation in the browser', () => {
  const bubbles = (): Promise<string[]> => user.page.locator('.cs-bubble').allTextContents()

  it('queue: what was asked meanwhile is asked in turn, each once', async () => {
    await play('queue')
    await user.page.getByText('What is an oxbow lake?').waitFor()
    await user.answers('complete').nth(2).waitFor()
    expect(await bubbles()).toEqual([
      'Why do rivers meander?',
      'What is an oxbow lake?',
      'How wide do the loops become?',
    ])
    expect(await user.text()).toBe(MEANDER_ANSWER + riverAnswer('oxbow') + riverAnswer('wide'))
    expect(await user.requestIds()).toHaveLength(3)
    expect(user.posts).toHaveLength(3)
  })

  it('steer: what is written meanwhile is said into the answer, which turns to it', async () => {
    await play('steer')
    await user.hasText(60)
    await user.ask('What is an oxbow lake?')
    await user.ends('complete')
    expect(await user.text()).toContain(riverAnswer('oxbow'))
    expect((await user.text()).length).toBeLessThan(riverDiary(96).length)
    expect(await user.requestIds()).toHaveLength(1)
  })

  it('shared-plan: written by both sides, and what the user has changed goes along', async () => {
    await play('shared-plan')
    const plan = user.page.getByRole('region', { name: 'Survey plan' })
    const stops = plan.getByRole('listitem')
    await expect.poll(() => stops.count()).toBeGreaterThan(0)
    await plan.getByLabel('Reach').fill('Upper reach')
    await plan.getByRole('button', { name: 'One day more' }).click()
    await user.ends('complete')
    expect(await stops.allTextContents()).toEqual(['Bridge gauge', 'Weir', 'Oxbow lake'])
    expect(await plan.getByLabel('Reach').inputValue()).toBe('Upper reach')
    expect(await plan.getByText('Your changes go with the next message.').isVisible()).toBe(true)
    await user.ask('Go on.')
    await expect.poll(() => stops.count()).toBe(4)
    await user.ends('complete')
    expect(await user.text()).toContain('Upper reach, 4 days.')
    expect(await plan.getByLabel('Reach').inputValue()).toBe('Upper reach')
    expect(await plan.getByText('The agent has this plan.').isVisible()).toBe(true)
  })

  it('edit: another question in place of the first, and another answer', async () => {
    await play('edit')
    await user.ends('complete')
    expect(await user.text()).toBe(riverAnswer('oxbow'))
    const question = user.page.locator('.cs-message[data-role="user"]')
    await question.hover()
    await question.getByRole('button', { name: 'Edit' }).click()
    await question.getByRole('textbox').fill('How wide do the loops become?')
    await question.getByRole('textbox').press('Enter')
    await expect.poll(() => user.text()).toBe(riverAnswer('wide'))
    await user.ends('complete')
    expect(await bubbles()).toEqual(['How wide do the loops become?'])
    expect(await user.requestIds()).toHaveLength(2)
  })

  it('attach: an answer from the file that went along, and one from our own file', async () => {
    await play('attach')
    await user.ends('complete')
    expect(await user.text()).toContain('An oxbow lake here becomes about three hundred years old')
    await user.page.getByText('river-notes.md').first().waitFor()

    await user.attach('boats.txt', Buffer.from('The ferry carries forty people and one cow.'))
    await user.ask('How many people does the ferry carry?')
    await user.answers('complete').nth(1).waitFor()
    const answer = user.answers().nth(1)
    expect(await answer.textContent()).toContain('The ferry carries forty people and one cow.')
    const address = await answer.locator('a[href*="/files/"]').first().getAttribute('href')
    expect(await (await fetch(address ?? '')).text()).toBe('The ferry carries forty people and one cow.')
  })

  it('attach: what is not a text is refused with the reason, and nothing is asked', async () => {
    await user.attach('picture.txt', Buffer.from([0xff, 0xd8, 0xff]))
    await user.page.getByText('not a text file').first().waitFor()
    expect(user.posts).toHaveLength(0)
  })

  it('long-thread: two thousand messages, few of them on the page, and the answer below them', async () => {
    await play('long-thread')
    await expect.poll(async () => (await user.text()).endsWith(riverAnswer('wide'))).toBe(true)
    expect(await user.page.locator('.cs-message').count()).toBeLessThan(100)
    // The window of a long thread is fetched on demand, and the answer does not wait for it.
    await expect.poll(() => user.page.locator('.cs-message').last().getAttribute('aria-setsize')).toBe('2002')
    expect(await user.page.locator('.cs-message').count()).toBeLessThan(100)
    expect(await attempts()).toBe(1)
  })

  it('earlier-messages: older pages come as the reader goes up, until the first one is there', async () => {
    await play('earlier-messages')
    await user.page.getByText('What did you see on day 120?').waitFor()
    const view = user.page.getByRole('region', { name: 'Messages' })
    const first = user.page.getByText('What did you see on day 1?', { exact: true })
    // As a user who scrolls on and on: each page that comes makes space for the next.
    const goUp = async (): Promise<boolean> => {
      await view.evaluate((element) => element.scrollTo({ top: 0 }))
      return first.isVisible()
    }
    await expect.poll(goUp, { timeout: 30_000 }).toBe(true)
    await user.page.getByText('Start of conversation').waitFor()
    expect(user.posts).toHaveLength(0)
  })
})

describe('connections that break in the browser', () => {
  it.each<[ScenarioId, RegExp]>([
    // What a busy page has not read when the socket breaks is lost with it.
    ['cut-mid-packet', /^Dropped (?:inside|after) packet (?:\d|1[0-5])\b/],
    ['end-without-close', /^Ended without CLOSE/],
  ])('%s: resumes, and is complete only when it is', async (id, note) => {
    await play(id)
    await user.ends('complete')
    expect(await user.text()).toBe(MEANDER_ANSWER)
    await neverCompleteTooEarly(MEANDER_ANSWER)
    expect(await attempts()).toBe(2)
    expect(await user.count('drop')).toBe(1)
    expect((await user.notes()).some((text) => note.test(text))).toBe(true)
  })

  it('half-open: resumes when the timeout has passed', async () => {
    await play('half-open', { 'Timeout (seconds)': '1' })
    await user.ends('complete')
    await user.set('Timeout (seconds)', '10')
    expect(await user.text()).toBe(MEANDER_ANSWER)
    await neverCompleteTooEarly(MEANDER_ANSWER)
    expect(await attempts()).toBe(2)
  })

  it('everything-twice: the text once, the duplicates in the log', async () => {
    await play('everything-twice')
    await user.ends('complete')
    expect(await user.text()).toBe(MEANDER_ANSWER)
    const packets = await user.count('packet')
    // The stream has ended with the first CLOSE: the second may come or not.
    expect(await user.count('duplicate')).toBeGreaterThanOrEqual(Math.floor(packets / 2) - 1)
  })

  it('gap-in-seq: the place is marked, and the mark tells the numbers', async () => {
    await play('gap-in-seq')
    await user.ends('complete')
    await user.answers().getByRole('button', { name: 'Part of the response is missing' }).click()
    await user.answers().getByRole('button', { name: 'packets 15–17' }).waitFor()
    expect(await user.count('gap')).toBe(1)
    expect((await user.text()).length).toBeLessThan(MEANDER_ANSWER.length + 60)
  })

  it('new-stream-id: begins again, and says so', async () => {
    await play('new-stream-id')
    await user.ends('complete')
    await user.answers().getByText('Restarted', { exact: true }).waitFor()
    expect(await user.text()).toBe(MEANDER_ANSWER)
    await neverCompleteTooEarly(MEANDER_ANSWER)
  })

  it('log-lost: ends without the rest, keeps what came, and asks no more', async () => {
    await play('log-lost')
    await user.page.getByRole('alert').getByText('This response can’t be resumed').waitFor()
    expect(await user.answers('complete').count()).toBe(0)
    const text = await user.text()
    expect(text).not.toBe('')
    expect(MEANDER_ANSWER.startsWith(text)).toBe(true)
    expect(await attempts()).toBe(2)
  })
})

describe('prompts and commands in the browser', () => {
  it.each<ScenarioId>([
    'approval',
    'choice',
    'form',
    'sign-in',
    'permission',
    'several-prompts',
    'answer-lost',
    'answer-refused',
    'prompt-expired',
    'prompt-withdrawn',
  ])('%s: waits for an answer, and stops when it is told to', async (id) => {
    await play(id)
    await expect.poll(async () => (await bench.run(await user.requestId())).log ?? '').toContain('"type":"PROMPT"')
    await user.press('Stop')
    await user.ends('stopped')
    await expect.poll(async () => (await bench.run(await user.requestId())).log ?? '').toContain('"withdrawn"')
  })

  it.each<[ScenarioId, readonly string[], string]>([
    ['approval', ['Allow once'], 'Booked: Otter for 3 hours.'],
    ['approval', ['Deny'], 'You said no. Nothing is booked.'],
    ['choice', ['Hampshire Avon'], 'The Hampshire Avon is about 96 km long'],
    ['permission', ['Allow'], 'All 12 gauges are below their marks'],
    ['several-prompts', ['Allow once', 'Deny', 'Allow once'], 'Done: boats.book, harbour.notify.'],
    ['answer-lost', ['Allow once'], 'Booked: Otter for 3 hours.'],
    ['answer-refused', ['Allow once', 'Allow once'], 'Booked: Otter for 3 hours.'],
    ['prompt-expired', [], 'Nobody answered in time. Nothing is booked.'],
    ['prompt-withdrawn', [], 'I take my question back.'],
  ])('%s: after %j the agent does what follows, once', async (id, answers, follows) => {
    await play(id)
    for (const answer of answers) {
      await user.page.locator('.cs-prompt').waitFor()
      expect(await user.text()).not.toContain(follows)
      await user.decide(answer)
    }
    await expect.poll(() => user.text(), { timeout: 15_000 }).toContain(follows)
    await user.answers('complete').last().waitFor()
    expect((await user.text()).split(follows)).toHaveLength(2)
    expect((await bench.run(await user.requestId())).agentRuns).toBe(1)
  })

  it('form: a value that the agent refuses has an error at its field, and the corrected one is filed', async () => {
    await play('form')
    const form = user.page.locator('.cs-prompt[data-ready]')
    await form.getByLabel('Level').fill('12')
    await form.getByLabel('Date').fill('2026-03-01')
    await user.decide('Send')
    await user.page.getByText('The gauge ends at 9 m.').first().waitFor()
    await form.getByLabel('Level').fill('2.14')
    await user.decide('Send')
    await expect.poll(() => user.text()).toContain('Filed: 2.14 m at Lower Ferry on 2026-03-01.')
  })

  it('approval: the input is changed in the card, and done as it was changed', async () => {
    await play('approval')
    await user.decide('Edit')
    await user.page.locator('.cs-prompt').getByLabel('Hours').fill('5')
    await user.decide('Review changes')
    await user.decide('Allow once')
    await expect.poll(() => user.text()).toContain('Booked: Otter for 5 hours, as you changed it.')
  })

  it('sign-in: opens the page when the button is pressed, and continues when the user says so', async () => {
    await play('sign-in')
    const [opened] = await Promise.all([
      user.page.waitForEvent('popup'),
      user.page.locator('.cs-prompt[data-ready]').getByRole('link', { name: 'Open sign-in page' }).click(),
    ])
    await opened.getByText('You are signed in.').waitFor()
    await opened.close()
    await user.decide('I have signed in')
    await expect.poll(() => user.text()).toContain('It stands at 2.14 m')
  })

  it('stop-left: says that the agent may still be working', async () => {
    await play('stop-left')
    await user.hasText(60)
    await user.press('Stop')
    await user.page
      .getByText(/may still be working/)
      .first()
      .waitFor()
  })
})

describe('errors in the browser', () => {
  it('fatal: an alert with the next step; the text so far stays', async () => {
    await play('fatal')
    await user.ends('failed')
    const alert = user.page.getByRole('alert')
    await alert.getByText('Please sign in').waitFor()
    expect(await user.text()).toContain('The authority keeps the levels')
    await alert.getByRole('button', { name: 'Sign in' }).click()
    await user.page.getByRole('dialog', { name: 'Settings' }).waitFor()
    await user.press('Cancel')
  })

  it('transient: waits for the requested time, then continues to the end', async () => {
    await play('transient')
    await user
      .answers()
      .getByText(/Reconnecting in \d/)
      .waitFor()
    await user.ends('complete')
    expect(await user.text()).toBe(MEANDER_ANSWER)
    await neverCompleteTooEarly(MEANDER_ANSWER)
    expect(await user.count('drop')).toBe(0)
  })

  it('warning: a note, and the answer continues to completion', async () => {
    await play('warning')
    await user.ends('complete')
    await user.answers().getByRole('note').getByText('The index is a day old').waitFor()
    expect(await user.page.getByRole('alert').count()).toBe(0)
    expect(await user.text()).toBe(MEANDER_ANSWER)
  })

  it.each<[ScenarioId, string, string]>([
    ['http-401', 'Please sign in', 'Bearer'],
    ['http-500', 'The server had a problem', 'gateway'],
  ])('%s: a plain sentence, and nothing of what the server wrote for others', async (id, title, foreign) => {
    await play(id)
    await user.page.locator('.cs-banner').getByText(title).waitFor()
    const shown = (await user.page.locator('.cs-chat').textContent()) ?? ''
    expect(shown).not.toContain(foreign)
    expect(shown).not.toContain('<')
    expect(await user.page.getByText('Not sent', { exact: true }).count()).toBe(1)
    expect(user.posts).toHaveLength(1)
  })
})

describe('the list of scenarios', () => {
  it('is played to its end above, every one', () => {
    expect([...played].toSorted()).toEqual(scenarios.map(({ id }) => id).toSorted())
  })
})
