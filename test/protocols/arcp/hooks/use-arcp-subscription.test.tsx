// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { Profiler } from 'react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { ArcpSubscriptionOptions } from '../../../../src/protocols/arcp/hooks/use-arcp-subscription.ts'
import { useArcpSubscription } from '../../../../src/protocols/arcp/hooks/use-arcp-subscription.ts'
import type { ArcpPage } from '../../../support/arcp-page.tsx'
import { createArcpPage } from '../../../support/arcp-page.tsx'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'
import { eventually } from '../../../support/eventually.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

afterEach(cleanup)

function show(page: ArcpPage, options: ArcpSubscriptionOptions = {}) {
  let commits = 0
  const wrapper = ({ children }: { readonly children: ReactNode }): ReactNode =>
    page.wrapper({
      children: (
        <Profiler id="feed" onRender={() => (commits += 1)}>
          {children}
        </Profiler>
      ),
    })
  // Another object at each render.
  const view = renderHook((given: ArcpSubscriptionOptions) => useArcpSubscription({ types: ['job.progress'] }, given), {
    wrapper,
    initialProps: options,
  })
  return { ...view, commits: () => commits }
}

/** The subscription is accepted, and what had been said before has come. */
async function begun(page: ArcpPage, { result }: Pick<ReturnType<typeof show>, 'result'>): Promise<void> {
  await eventually(async () => {
    await page.rest()
    expect(result.current).toMatchObject({ status: 'open', isBackfilled: true })
  })
}

/** The runtime says something that the subscription is about. */
function tell(page: ArcpPage, count: number): void {
  const subscriptionId = `sub_${page.runtime.of('subscribe').at(-1)?.id}`
  for (let at = 0; at < count; at++) {
    const event = {
      arcp: '1.0',
      id: `other_${(told += 1)}`.padEnd(12, '0'),
      type: 'job.progress',
      timestamp: '2026-03-01T08:15:00.000Z',
      job_id: 'job_of_others',
      payload: { percent: at },
    }
    page.runtime.emit('subscribe.event', { event }, { subscription_id: subscriptionId })
  }
}
let told = 100

it('subscribes once in StrictMode, gives what comes once a frame, and ends with the component', async () => {
  const page = createArcpPage()
  const view = show(page)
  const { result, unmount, rerender, commits } = view
  await begun(page, view)
  expect(result.current).toMatchObject({ status: 'open', isBackfilled: true, events: [], backfilled: 0 })
  const before = commits()
  tell(page, 50)
  await page.rest()
  expect(result.current.events).toHaveLength(50)
  expect(commits() - before).toBe(1)
  const same = result.current
  rerender({})
  expect(result.current).toBe(same)
  expect(page.runtime.of('subscribe')).toHaveLength(1)
  unmount()
  await page.rest()
  expect(page.runtime.of('unsubscribe')).toHaveLength(1)
  page.client.close()
})

it('tells what had been said before from what is new, and continues over connections', async () => {
  const page = createArcpPage()
  await page.begin()
  const { result } = show(page, { after: '' })
  await begun(page, { result })
  // job.accepted and job.started: this runtime filters by nothing.
  expect(result.current).toMatchObject({ status: 'open', isBackfilled: true, backfilled: 2 })
  page.runtime.cut()
  await page.rest(60_000)
  tell(page, 1)
  await page.rest()
  expect(result.current).toMatchObject({ status: 'open', backfilled: 2 })
  expect(result.current.events.at(-1)).toMatchObject({ type: 'job.progress', job_id: 'job_of_others' })
  expect(new Set(result.current.events.map(({ id }) => id)).size).toBe(result.current.events.length)
  page.client.close()
})

it('keeps as much as it is told to', async () => {
  const page = createArcpPage()
  const { result } = show(page, { limit: 10 })
  await begun(page, { result })
  tell(page, 25)
  await page.rest()
  tell(page, 1)
  await page.rest()
  expect(result.current).toMatchObject({ dropped: 16 })
  expect(result.current.events).toHaveLength(10)
  page.client.close()
})

it('says that the runtime has ended it, or that the app has', async () => {
  const page = createArcpPage()
  const { result } = show(page)
  await begun(page, { result })
  const id = `sub_${page.runtime.of('subscribe').at(-1)?.id}`
  page.runtime.emit('subscribe.closed', { subscription_id: id, reason: 'BACKPRESSURE_OVERFLOW' })
  await page.rest()
  expect(result.current).toMatchObject({ status: 'closed', reason: 'BACKPRESSURE_OVERFLOW' })
  const other = show(page)
  await begun(page, other)
  act(() => other.result.current.close())
  await page.rest()
  expect(other.result.current).toMatchObject({ status: 'closed', reason: undefined })
  page.client.close()
})

it('asks for nothing while it is not wanted, nor on a server', async () => {
  const page = createArcpPage()
  const { result } = show(page, { enabled: false })
  const Probe = () => <p>{useArcpSubscription({}).status}</p>
  expect(renderToString(page.wrapper({ children: <Probe /> }))).toBe('<p>idle</p>')
  await page.rest()
  expect(result.current.status).toBe('idle')
  expect(page.runtime.sockets).toBe(0)
})
