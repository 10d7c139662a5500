// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { ArcpArtifactHookOptions } from '../../../../src/protocols/arcp/hooks/use-arcp-artifact.ts'
import { useArcpArtifact } from '../../../../src/protocols/arcp/hooks/use-arcp-artifact.ts'
import { createArcpPage } from '../../../support/arcp-page.tsx'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

afterEach(cleanup)

async function stored() {
  const page = createArcpPage()
  const putting = page.client.putArtifact('gauge,level', { mediaType: 'text/csv' })
  await page.rest()
  await act(async () => void (await putting))
  await page.rest()
  const show = (options?: ArcpArtifactHookOptions, id = 'art_1') =>
    renderHook(() => useArcpArtifact(id, options), { wrapper: page.wrapper }).result
  return { page, show }
}

it('is fetched on demand, once for all that show it, and released', async () => {
  const { page, show } = await stored()
  const [first, second] = [show(), show()]
  expect(first.current).toMatchObject({ status: 'idle', artifact: { media_type: 'text/csv', size: 11 } })
  expect(page.runtime.of('artifact.fetch')).toHaveLength(0)
  act(() => void first.current.load())
  act(() => void second.current.load())
  expect(second.current.status).toBe('loading')
  await page.rest()
  expect(second.current).toMatchObject({
    status: 'ready',
    content: { mediaType: 'text/csv', text: 'gauge,level' },
    error: undefined,
  })
  expect(second.current.content).toBe(first.current.content)
  expect(page.runtime.of('artifact.fetch')).toHaveLength(1)
  const releasing = first.current.release()
  await page.rest()
  await releasing
  await page.rest()
  expect(first.current).toMatchObject({ status: 'expired', content: undefined })
  page.client.close()
})

it('is fetched by itself where that is wanted, once in StrictMode', async () => {
  const { page, show } = await stored()
  const result = show({ load: true })
  await page.rest()
  expect(result.current.content?.text).toBe('gauge,level')
  expect(page.runtime.of('artifact.fetch')).toHaveLength(1)
  page.client.close()
})

it('is expired where the runtime has it no more', async () => {
  const { page, show } = await stored()
  const result = show({ load: true }, 'art_9')
  await page.rest()
  expect(result.current).toMatchObject({ status: 'expired', artifact: undefined, error: { code: 'not_found' } })
  page.client.close()
})
