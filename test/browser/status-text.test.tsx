import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { GapMark } from '../../src/components/gap-mark.tsx'
import { Countdown } from '../../src/components/internals/live-time.tsx'

beforeEach(async () => {
  await page.viewport(320, 640)
})

describe('a countdown', () => {
  it('leaves no empty place between its text and what follows it', async () => {
    await render(
      <p className="cs-root">
        <Countdown until={0} />
        <b>· Retry now</b>
      </p>,
    )
    const figure = document.querySelector('.cs-countdown [aria-hidden]')
    const next = document.querySelector('b')
    expect(next?.getBoundingClientRect().left).toBeCloseTo(figure?.getBoundingClientRect().right ?? -1, 0)
  })
})

describe('a mark of missing packets on a narrow screen', () => {
  it('stays inside of its column when it is open', async () => {
    await render(
      <p className="cs-root cs-part" style={{ inlineSize: 240 }}>
        Its neck closed <GapMark after={12_070} before={12_074} /> which fits.
      </p>,
    )
    await userEvent.click(page.getByRole('button', { name: 'Part of the response is missing' }))
    const named = page.getByRole('button', { name: 'Part of the response is missing, packets 12071–12073' })
    await expect.element(named).toBeVisible()
    const mark = named.element()
    const column = document.querySelector('p')
    expect(mark.getBoundingClientRect().right).toBeLessThanOrEqual(column?.getBoundingClientRect().right ?? 0)
    expect(column?.scrollWidth).toBeLessThanOrEqual(240)
  })
})
