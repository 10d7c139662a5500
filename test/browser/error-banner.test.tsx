import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { ErrorBanner } from '../../src/components/error-banner.tsx'
import { errorOf } from '../components/fake-chat.ts'

const error = errorOf({ severity: 'FATAL', agentCode: 'quota_used', message: 'The quota of this month is used up.' })
const place = (name: string): DOMRect => page.getByRole('button', { name }).element().getBoundingClientRect()

async function show(width: number): Promise<{ readonly banner: DOMRect; readonly title: DOMRect }> {
  await page.viewport(width, 800)
  const upgrade = (
    <button type="button" className="cs-button" data-kind="primary">
      Upgrade to a larger plan
    </button>
  )
  await render(<ErrorBanner error={error} actions={{ quota_used: upgrade }} onRetry={() => {}} onDismiss={() => {}} />)
  const banner = page.getByRole('alert').element()
  const title = banner.querySelector('.cs-banner-title')
  if (title === null) throw new Error('The banner has no title.')
  return { banner: banner.getBoundingClientRect(), title: title.getBoundingClientRect() }
}

describe('the button that puts a banner away', () => {
  it.each([320, 360, 400, 480])('is beside the title at %i px, at the end of its row', async (width) => {
    const { banner, title } = await show(width)
    const dismiss = place('Dismiss')
    expect(dismiss.top).toBeLessThan(title.bottom)
    expect(dismiss.bottom).toBeGreaterThan(title.top)
    expect(dismiss.left).toBeGreaterThanOrEqual(title.right)
    expect(dismiss.right).toBeLessThan(banner.right)
    for (const name of ['Upgrade to a larger plan', 'Try again']) {
      expect(place(name).top).toBeGreaterThanOrEqual(dismiss.bottom)
      expect(place(name).right).toBeLessThan(banner.right)
    }
  })

  it('is in one row with the other buttons where they fit, after them', async () => {
    await show(1000)
    const [retry, dismiss] = [place('Try again'), place('Dismiss')]
    expect(dismiss.left).toBeGreaterThanOrEqual(retry.right)
    expect((dismiss.top + dismiss.bottom) / 2).toBeCloseTo((retry.top + retry.bottom) / 2, 0)
  })
})
