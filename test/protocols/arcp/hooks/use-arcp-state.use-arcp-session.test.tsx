// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { useArcpSession } from '../../../../src/protocols/arcp/hooks/use-arcp-state.ts'
import { createArcpPage } from '../../../support/arcp-page.tsx'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

afterEach(cleanup)

it('opens nothing on its own, and reports the session and its reconnects', async () => {
  const page = createArcpPage()
  const { result, unmount } = renderHook(() => useArcpSession(), { wrapper: page.wrapper })
  await page.rest()
  expect([page.runtime.sockets, result.current.phase, result.current.connection.phase]).toEqual([0, 'idle', 'idle'])
  act(() => void result.current.connect())
  await page.rest()
  expect(result.current).toMatchObject({
    phase: 'accepted',
    id: 'sess_1',
    runtime: { kind: 'memory' },
    connection: { phase: 'streaming' },
  })
  const same = result.current
  await page.rest(1000)
  expect(result.current).toBe(same)
  // The wait before the next attempt is the longest.
  page.environment.chance = 0.99
  page.runtime.cut()
  await page.rest()
  expect(result.current.connection).toMatchObject({ phase: 'waiting', attempt: 1 })
  act(() => result.current.retryNow())
  await page.rest()
  expect(result.current).toMatchObject({ id: 'sess_2', connection: { phase: 'streaming' } })
  unmount()
  await page.rest(60_000)
  expect(page.runtime.open, 'unmounting has closed the connection').toBe(1)
  page.client.close()
})

it('says why a session was refused, and never rejects', async () => {
  const page = createArcpPage({ token: 'right' })
  const { result } = renderHook(() => useArcpSession(), { wrapper: page.wrapper })
  await act(async () => {
    const connecting = result.current.connect()
    await page.environment.clock.advance(0)
    await connecting
  })
  await page.rest()
  expect(result.current).toMatchObject({
    phase: 'rejected',
    error: { code: 'UNAUTHENTICATED' },
    connection: { phase: 'failed', error: { code: 'unauthorized' } },
  })
})

it('renders on a server as idle, whatever the client knows', async () => {
  const page = createArcpPage()
  await page.begin()
  const Probe = () => <p>{useArcpSession().phase}</p>
  expect(renderToString(page.wrapper({ children: <Probe /> }))).toBe('<p>idle</p>')
  page.client.close()
})

it('says what is missing where there is no client', () => {
  expect(() => renderHook(() => useArcpSession())).toThrow(/<ArcpProvider client={client}>.*useArcpSession/)
})
