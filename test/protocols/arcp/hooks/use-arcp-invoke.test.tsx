// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { ArcpInvokeResult } from '../../../../src/protocols/arcp/hooks/use-arcp-invoke.ts'
import { useArcpInvoke } from '../../../../src/protocols/arcp/hooks/use-arcp-invoke.ts'
import type { ArcpPage } from '../../../support/arcp-page.tsx'
import { createArcpPage } from '../../../support/arcp-page.tsx'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

afterEach(cleanup)

async function invoked(page: ArcpPage, tool = 'survey'): Promise<{ readonly current: ArcpInvokeResult }> {
  const { result } = renderHook(() => useArcpInvoke(tool), { wrapper: page.wrapper })
  expect(result.current).toMatchObject({ status: 'idle', job: undefined })
  act(() => void result.current.invoke({ river: 'Elbe' }))
  expect(result.current.status).toBe('submitted')
  await page.rest()
  return result
}

it('invokes a tool once, also in StrictMode, and shows its job and its result', async () => {
  const page = createArcpPage()
  const result = await invoked(page)
  expect(page.runtime.of('tool.invoke')).toMatchObject([{ payload: { tool: 'survey', arguments: { river: 'Elbe' } } }])
  page.job().emit('job.progress', { percent: 20 })
  await page.rest()
  expect(result.current).toMatchObject({ status: 'running', job: { id: 'job_1', percent: 20 } })
  page.job().end({ gauges: 3 })
  await page.rest()
  expect(result.current).toMatchObject({ status: 'completed', result: { value: { gauges: 3 } }, error: undefined })
  act(() => result.current.reset())
  expect(result.current).toMatchObject({ status: 'idle', job: undefined, result: undefined })
  page.client.close()
})

it('shows why a job failed, and a tool that is not there', async () => {
  const page = createArcpPage()
  const result = await invoked(page)
  page.job().fail('INTERNAL', 'The gauge is broken.')
  await page.rest()
  expect(result.current).toMatchObject({ status: 'failed', error: { agentCode: 'INTERNAL' }, job: { state: 'failed' } })
  const missing = await invoked(page, 'missing')
  expect(missing.current).toMatchObject({ status: 'failed', error: { agentCode: 'UNIMPLEMENTED' }, job: undefined })
  page.client.close()
})

it('cancels the job it shows', async () => {
  const page = createArcpPage()
  const result = await invoked(page)
  const cancelling = result.current.cancel()
  await page.rest()
  expect(await cancelling).toBe('cancelled')
  expect(result.current.status).toBe('cancelled')
  expect(page.runtime.of('cancel')).toHaveLength(1)
  page.client.close()
})

it('shows a cancelled job as left until the runtime has confirmed its end', async () => {
  const page = createArcpPage({ abortsCancelled: true })
  const result = await invoked(page)
  const cancelling = result.current.cancel()
  expect(result.current.status).toBe('running')
  await page.rest()
  expect(await cancelling).toBe('left')
  expect(result.current).toMatchObject({ status: 'left', job: { state: 'failed' }, error: { agentCode: 'ABORTED' } })
  page.client.close()
})
