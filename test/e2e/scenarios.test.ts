import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INNER_BANK, MEANDER_ANSWER, OUTER_BANK, riverDiary } from '../../playground/server/scenarios/river-prose.ts'
import type { ScenarioId } from '../../playground/server/scenarios/scenario-list.ts'
import { scenarios } from '../../playground/server/scenarios/scenario-list.ts'
import type { BenchPage } from './bench-page.ts'
import type { Bench } from './open-bench.ts'
import { openBench } from './open-bench.ts'

let bench: Bench
let person: BenchPage
const played = new Set<ScenarioId>()

beforeAll(async () => {
  bench = await openBench()
  person = await bench.open()
})

afterAll(() => bench?.close())

/** Chooses a scenario in the rail, as a person does. */
async function play(id: ScenarioId, settings: Readonly<Record<string, string>> = {}): Promise<void> {
  played.add(id)
  for (const [label, value] of Object.entries(settings)) await person.set(label, value)
  await person.choose(scenarios.find((scenario) => scenario.id === id)?.title ?? '')
}

beforeEach(() => person.afresh())

afterEach(() => {
  expect(person.problems).toEqual([])
})

/** No moment at which the answer counted as complete and was not. */
async function neverCompleteTooEarly(text: string): Promise<void> {
  for (const look of await person.looks()) {
    if (look.status === 'complete') expect(look.text).toBe(text)
    else expect(text.startsWith(look.text)).toBe(true)
  }
}

async function attempts(): Promise<number> {
  return (await bench.run(await person.requestId())).attempts.length
}

describe('answers in the browser', () => {
  it.each<[ScenarioId, string]>([
    ['plain-text', MEANDER_ANSWER],
    ['long-answer', riverDiary(96)],
    ['slow-stream', MEANDER_ANSWER.split('\n\n')[0] ?? ''],
  ])('%s: the text as it was said, complete', async (id, text) => {
    await play(id)
    await person.ends('complete')
    expect(await person.text()).toBe(text)
    await neverCompleteTooEarly(text)
    expect(await attempts()).toBe(1)
  })

  it('thought-and-citations: a folded thought, marks in the text, sources that lead to their page', async () => {
    await play('thought-and-citations')
    await person.ends('complete')
    await person.answers().locator('summary', { hasText: 'Thought' }).click()
    await person.answers().getByText('Three notes cover that.').waitFor()
    const sources = person.answers().locator('a.cs-source')
    expect(await sources.count()).toBe(3)
    expect(await person.answers().locator('.cs-prose button.cs-cite').count()).toBe(3)
    const [opened] = await Promise.all([person.page.waitForEvent('popup'), sources.last().click()])
    await opened.locator('#oxbow-lakes').waitFor()
    await opened.close()
  })

  it('progress-and-media: steps that end done, pictures that load only when asked', async () => {
    await play('progress-and-media')
    await person.ends('complete')
    await person.answers().getByText('Drawn').waitFor()
    expect(await person.answers().locator('img').count()).toBe(0)
    await person.answers().getByRole('button', { name: 'Load image' }).first().click()
    await person.answers().getByRole('img', { name: 'A river with four bends' }).waitFor()
  })

  it('markdown-block: the note is shown as text, not as markup of the page', async () => {
    await play('markdown-block')
    await person.ends('complete')
    await person.answers().getByText('Oxbow lake').first().waitFor()
    expect(await person.answers().locator('script').count()).toBe(0)
  })

  it('data-and-artifact: a table, and a file to open', async () => {
    await play('data-and-artifact')
    await person.ends('complete')
    await person.answers().getByRole('cell', { name: 'Danube' }).waitFor()
    const file = person.answers().getByRole('link', { name: /Open/ })
    expect(await file.getAttribute('href')).toBe(`${bench.origin}/scenario-media/rivers.csv`)
  })

  it('user-notice: a notice, and the answer goes on', async () => {
    await play('user-notice')
    await person.ends('complete')
    await person.answers().getByRole('note').getByText('being repaired').waitFor()
    expect(await person.text()).toContain('Yesterday at noon it stood at 2.14 m')
  })

  it('json-answer: an answer in one piece', async () => {
    await play('json-answer')
    await person.ends('complete')
    expect(await person.answers().textContent()).toContain('The Danube is about 2,850 km long.')
  })

  it('two-streams: both are shown whole, each in an answer of its own', async () => {
    await play('two-streams')
    await person.answers('complete').nth(1).waitFor()
    const texts = await person.answers().locator('.cs-prose').allTextContents()
    expect(texts.map((text) => text.trim()).toSorted()).toEqual([INNER_BANK, OUTER_BANK])
  })

  it('unknown-event: kept where it came, and the answer goes on around it', async () => {
    await play('unknown-event')
    await person.ends('complete')
    await person.answers().getByText('FLOW_DIAGRAM').first().waitFor()
    expect(await person.text()).toContain('more at every mile')
  })
})

describe('lines that break in the browser', () => {
  it.each<[ScenarioId, RegExp]>([
    ['cut-mid-packet', /^Dropped (?:inside|after) packet 1[0-5]/],
    ['end-without-close', /^Ended without CLOSE/],
  ])('%s: resumes, and is complete only when it is', async (id, note) => {
    await play(id)
    await person.ends('complete')
    expect(await person.text()).toBe(MEANDER_ANSWER)
    await neverCompleteTooEarly(MEANDER_ANSWER)
    expect(await attempts()).toBe(2)
    expect(await person.count('drop')).toBe(1)
    expect((await person.notes()).some((text) => note.test(text))).toBe(true)
  })

  it('half-open: resumes when the timeout has passed', async () => {
    await play('half-open', { 'Timeout, seconds': '1' })
    await person.ends('complete')
    await person.set('Timeout, seconds', '10')
    expect(await person.text()).toBe(MEANDER_ANSWER)
    await neverCompleteTooEarly(MEANDER_ANSWER)
    expect(await attempts()).toBe(2)
  })

  it('everything-twice: the text once, the duplicates in the log', async () => {
    await play('everything-twice')
    await person.ends('complete')
    expect(await person.text()).toBe(MEANDER_ANSWER)
    const packets = await person.count('packet')
    // The stream has ended with the first CLOSE: the second may come or not.
    expect(await person.count('duplicate')).toBeGreaterThanOrEqual(Math.floor(packets / 2) - 1)
  })

  it('gap-in-seq: the place is marked, and the mark tells the numbers', async () => {
    await play('gap-in-seq')
    await person.ends('complete')
    await person.answers().getByRole('button', { name: '3 packets missing' }).click()
    await person.answers().getByRole('button', { name: '15 to 17' }).waitFor()
    expect(await person.count('gap')).toBe(1)
    expect((await person.text()).length).toBeLessThan(MEANDER_ANSWER.length + 60)
  })

  it('new-stream-id: begins again, and says so', async () => {
    await play('new-stream-id')
    await person.ends('complete')
    await person.answers().getByText('Restarted').waitFor()
    expect(await person.text()).toBe(MEANDER_ANSWER)
    await neverCompleteTooEarly(MEANDER_ANSWER)
  })

  it('log-lost: ends without the rest, keeps what came, and asks no more', async () => {
    await play('log-lost')
    await person.page.getByRole('alert').getByText('This answer can no longer be continued').waitFor()
    expect(await person.answers('complete').count()).toBe(0)
    const text = await person.text()
    expect(text).not.toBe('')
    expect(MEANDER_ANSWER.startsWith(text)).toBe(true)
    expect(await attempts()).toBe(2)
  })
})

describe('errors in the browser', () => {
  it('fatal: an alert with the next step; the text so far stays', async () => {
    await play('fatal')
    await person.ends('failed')
    const alert = person.page.getByRole('alert')
    await alert.getByText('Your session has ended').waitFor()
    expect(await person.text()).toContain('The authority keeps the levels')
    await alert.getByRole('button', { name: 'Sign in' }).click()
    await person.page.getByRole('dialog', { name: 'Settings' }).waitFor()
    await person.press('Cancel')
  })

  it('transient: waits as long as it was told, then goes on to the end', async () => {
    await play('transient')
    await person.answers().getByText(/Reconnecting in \d/).waitFor()
    await person.ends('complete')
    expect(await person.text()).toBe(MEANDER_ANSWER)
    await neverCompleteTooEarly(MEANDER_ANSWER)
    expect(await person.count('drop')).toBe(0)
  })

  it('warning: a note, and the answer goes on to completion', async () => {
    await play('warning')
    await person.ends('complete')
    await person.answers().getByRole('note').getByText('The index is a day old').waitFor()
    expect(await person.page.getByRole('alert').count()).toBe(0)
    expect(await person.text()).toBe(MEANDER_ANSWER)
  })

  it.each<[ScenarioId, string, string]>([
    ['http-401', 'Your session has ended', 'Bearer'],
    ['http-500', 'The agent could not answer', 'gateway'],
  ])('%s: a plain sentence, and nothing of what the server wrote for others', async (id, title, foreign) => {
    await play(id)
    await person.page.locator('.cs-banner').getByText(title).waitFor()
    const shown = (await person.page.locator('.cs-chat').textContent()) ?? ''
    expect(shown).not.toContain(foreign)
    expect(shown).not.toContain('<')
    expect(await person.page.getByText('Not sent', { exact: true }).count()).toBe(1)
    expect(person.posts).toHaveLength(1)
  })
})

describe('the list of scenarios', () => {
  it('is played to its end above, every one', () => {
    expect([...played].toSorted()).toEqual(scenarios.map(({ id }) => id).toSorted())
  })
})
