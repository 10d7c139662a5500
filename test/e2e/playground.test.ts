import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BenchPage } from './bench-page.ts'
import { logText } from './log-text.ts'
import type { Bench } from './open-bench.ts'
import { openBench } from './open-bench.ts'

const QUESTION = 'How does reconnection work?'
const HALF_AN_ANSWER = 120

let bench: Bench
let user: BenchPage

beforeAll(async () => {
  // Slower than the other tests of the bench: there must be a middle to break in.
  bench = await openBench({ deltaMs: 20, jitterMs: 10, stepMs: 25, random: () => Math.random() })
  user = await bench.open()
})

afterAll(() => bench?.close())

beforeEach(() => user.afresh())

afterEach(() => {
  expect(user.problems).toEqual([])
})

describe('a question to the docs agent', () => {
  it('is answered piece by piece, from a page that can be opened at the cited place', async () => {
    await user.ask(QUESTION)
    await user.ends('complete')

    const texts = new Set((await user.looks()).map(({ text }) => text).filter((text) => text !== ''))
    expect(texts.size).toBeGreaterThanOrEqual(5)
    const run = await bench.run(await user.requestId())
    expect(await user.text()).toBe(logText(run.log ?? ''))
    for (const text of texts) expect(logText(run.log ?? '').startsWith(text)).toBe(true)

    const source = user.answers().locator('a.cs-source').first()
    const address = (await source.getAttribute('href')) ?? ''
    expect(await source.getAttribute('target')).toBe('_blank')
    expect(address.startsWith(`${bench.origin}/docs/`)).toBe(true)
    const [opened] = await Promise.all([user.page.waitForEvent('popup'), source.click()])
    await opened.waitForLoadState()
    expect((await fetch(address)).status).toBe(200)
    expect(opened.url()).toBe(address)
    const heading = opened.locator(`[id="${new URL(address).hash.slice(1)}"]`)
    expect(await heading.evaluate(({ tagName }) => tagName)).toMatch(/^H[1-6]$/)
    await opened.close()
  })

  it('is posted once, although StrictMode mounts everything twice', async () => {
    await user.page.getByRole('button', { name: QUESTION }).click()
    await user.ends('complete')
    expect(user.posts).toHaveLength(1)
    expect((await bench.run(await user.requestId())).agentRuns).toBe(1)
  })

  it('can be followed up in the same conversation', async () => {
    await user.ask(QUESTION)
    await user.ends('complete')
    await user.ask('More about that')
    await user.answers('complete').nth(1).waitFor()
    const sessions = user.posts.map(
      (post) => (post.postDataJSON() as { context: { session_id: string } }).context.session_id,
    )
    expect(new Set(sessions).size).toBe(1)
    expect(await user.requestIds()).toHaveLength(2)
  })

  it('is stopped by the user and stays stopped', async () => {
    await user.ask(QUESTION)
    await user.hasText(HALF_AN_ANSWER)
    await user.press('Stop')
    await user.ends('stopped')
    expect(await user.count('drop')).toBe(0)
    expect(user.posts).toHaveLength(1)
  })
})

describe('a connection that is dropped in mid-answer', () => {
  it('on the server: the page ends with every byte the agent said, said once', async () => {
    await user.ask(QUESTION)
    await user.hasText(HALF_AN_ANSWER)
    const requestId = await user.requestId()
    await bench.command({ action: 'drop', requestId })
    await user.ends('complete')

    const run = await bench.run(requestId)
    expect(run.attempts.map(({ ending }) => ending)).toEqual(['dropped', 'finished'])
    expect(run.agentRuns).toBe(1)
    expect(await user.text()).toBe(logText(run.log ?? ''))
    expect(await user.requestIds()).toEqual([requestId])
    expect(await user.count('drop')).toBe(1)
  })

  it('twice, once inside a packet: still every byte', async () => {
    await user.ask(QUESTION)
    await user.hasText(60)
    const requestId = await user.requestId()
    // The connection that is open, and the next one a little further on: whatever the pause between them.
    await bench.command({ action: 'cut', afterBytes: 77, times: 2, requestId })
    await user.ends('complete')
    const run = await bench.run(requestId)
    expect(run.attempts).toHaveLength(3)
    expect(await user.text()).toBe(logText(run.log ?? ''))
  })

  it('by "Drop connection": the log of the page tells the drop and the way back', async () => {
    await user.ask(QUESTION)
    await user.hasText(HALF_AN_ANSWER)
    await user.press('Drop connection')
    await user.ends('complete')
    const run = await bench.run(await user.requestId())
    expect(run.attempts.map(({ ending }) => ending)).toEqual(['dropped', 'finished'])
    const notes = await user.notes()
    expect(notes.some((note) => note.startsWith('Dropped'))).toBe(true)
    expect(notes).toContain('Connected again, attempt 2')
    expect(await user.text()).toBe(logText(run.log ?? ''))
  })
})

describe('a connection that goes silent', () => {
  it('is taken for dropped when the timeout has passed, and heals', async () => {
    await user.set('Timeout (seconds)', '1')
    await user.ask(QUESTION)
    await user.hasText(HALF_AN_ANSWER)
    await user.press('Stall')
    await user.ends('complete')
    await user.set('Timeout (seconds)', '10')
    const run = await bench.run(await user.requestId())
    expect(run.attempts.map(({ silent }) => silent)).toEqual([true, false])
    expect(await user.text()).toBe(logText(run.log ?? ''))
    expect(await user.count('drop')).toBe(1)
  })
})

describe('a page that goes offline', () => {
  it('says so in the answer, and continues when it is back', async () => {
    await user.ask(QUESTION)
    await user.hasText(HALF_AN_ANSWER)
    await user.press('Go offline')
    await user.answers().getByText('You’re offline.').waitFor()
    const posts = user.posts.length
    expect(await user.page.locator('.pg-panel-head .cs-pill').getAttribute('data-state')).toBe('offline')
    await user.press('Go back online')
    await user.ends('complete')
    expect(user.posts.length).toBeGreaterThan(posts)
    const run = await bench.run(await user.requestId())
    expect(await user.text()).toBe(logText(run.log ?? ''))
  })

  it('keeps a question that could not be sent, and sends it later', async () => {
    await user.press('Go offline')
    await user.ask(QUESTION)
    await expect.poll(() => user.page.locator('.pg-panel-head .cs-pill').getAttribute('data-state')).toBe('offline')
    expect(user.posts).toEqual([])
    await user.press('Go back online')
    await user.ends('complete')
    expect(user.posts).toHaveLength(1)
  })
})

describe('another agent', () => {
  it('that is not there is told in words, with the question kept for another try', async () => {
    await user.set('Base URL', '/nowhere')
    await user.ask(QUESTION)
    await user.page.getByText('Not sent', { exact: true }).waitFor()
    await expect.poll(() => user.page.locator('.cs-bubble').textContent()).toBe(QUESTION)
    await user.set('Base URL', '/cap')
  })

  it('tells its health in the settings', async () => {
    await user.press('Settings')
    await user.page.getByText('Operational').waitFor()
    await user.page.getByLabel('Base URL').fill('nonsense')
    await user.page.keyboard.press('Tab')
    await user.page.getByRole('alert').getByText('neither an absolute URL nor a path').waitFor()
    await user.press('Cancel')
  })
})

describe('a link to a scenario', () => {
  it('plays it, and steps back and forward lead from one to the other', async () => {
    const guest = await bench.open()
    const { page } = guest
    const title = (): Promise<string | null> => page.locator('[aria-current="page"]').textContent()
    await guest.visit(`${bench.origin}/playground/index.html#json-answer`)
    await guest.ends('complete')
    expect(guest.posts).toHaveLength(1)
    expect(await title()).toContain('JSON answer')

    await guest.choose('Notice to the user')
    await guest.choose('Plain text')
    expect(new URL(page.url()).hash).toBe('#plain-text')
    await page.goBack()
    await expect.poll(title).toContain('Notice to the user')
    await page.goBack()
    await expect.poll(title).toContain('JSON answer')
    await guest.close()
  })

  it('that names nothing says so, and the page works', async () => {
    const guest = await bench.open()
    await guest.visit(`${bench.origin}/playground/index.html#no-such-thing`)
    await guest.page.getByRole('alert').getByText('There is no scenario “no-such-thing”').waitFor()
    await guest.press('Dismiss')
    expect(await guest.page.getByRole('alert').count()).toBe(0)
    await guest.ask(QUESTION)
    await guest.ends('complete')
    expect(guest.problems).toEqual([])
    await guest.close()
  })
})

describe('allowed media hosts', () => {
  it('load at once, and no others; what is not a host is refused with the word that is wrong', async () => {
    const guest = await bench.open({})
    const { page } = guest
    await page.route('https://pictures.example/**', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"/>',
      }),
    )
    // The agent of the scenario names pictures of this server: here they come from elsewhere.
    await page.route('**/cap/assist', async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        body: (await response.text()).replace(/http:[^"]*meander\.svg/, 'https://pictures.example/meander.svg'),
      })
    })
    await guest.press('Settings')
    await page.getByLabel('Allowed media hosts').fill('https://pictures.example/')
    await guest.press('Save')
    await page.getByRole('alert').getByText('“https://pictures.example/” is not a host').waitFor()
    await page.getByLabel('Allowed media hosts').fill('pictures.example')
    await guest.press('Save')
    await guest.choose('Progress and media')
    await guest.ends('complete')
    await guest.answers().getByRole('img', { name: 'A river with four bends' }).waitFor()
    expect(await guest.answers().locator('img').count()).toBe(1)
    await page.context().close()
  })
})
