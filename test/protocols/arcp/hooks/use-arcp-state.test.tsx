// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Profiler } from 'react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { useArcpState, hasSameItems } from '../../../../src/protocols/arcp/hooks/use-arcp-state.ts'
import { createArcpPage } from '../../../support/arcp-page.tsx'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

afterEach(cleanup)

it('renders again only when the selected value changes', async () => {
  const page = createArcpPage()
  const job = await page.begin()
  let commits = 0
  const Probe = (): ReactNode => useArcpState(({ jobs }) => [...jobs.keys()], { isEqual: hasSameItems })
  const { container } = render(
    page.wrapper({
      children: (
        <Profiler id="probe" onRender={() => (commits += 1)}>
          <Probe />
        </Profiler>
      ),
    }),
  )
  commits = 0
  job.emit('job.progress', { percent: 1 })
  await page.rest()
  expect([commits, container.textContent]).toEqual([0, 'job_1'])
  await page.begin()
  expect(container.textContent).toBe('job_1job_2')
  expect(commits).toBeGreaterThan(0)
  page.client.close()
})
