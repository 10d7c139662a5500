// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { useArcpLeases } from '../../../../src/protocols/arcp/hooks/use-arcp-leases.ts'
import type { RuntimeOptions } from '../../../support/arcp-memory-runtime.ts'
import { createArcpPage } from '../../../support/arcp-page.tsx'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

afterEach(cleanup)

async function leased(options: RuntimeOptions = {}) {
  const page = createArcpPage(options)
  const job = await page.begin()
  const asked = job.emit('permission.request', { permission: 'fs.write', resource: '/reports', operation: 'write' })
  await page.rest()
  void page.client.grant(asked)
  await page.rest()
  const active = renderHook(() => useArcpLeases(), { wrapper: page.wrapper }).result
  const all = renderHook(() => useArcpLeases({ jobId: job.id, ended: true }), { wrapper: page.wrapper }).result
  return { page, job, active, all }
}

it('counts down on the clock of the client, is extended and given back', async () => {
  const { page, active, all } = await leased()
  const [lease] = active.current
  expect(lease).toMatchObject({ id: 'lease_1', lease: { name: 'fs.write', resource: '/reports', state: 'active' } })
  const before = lease?.remainingMs ?? 0
  await page.rest(10_000)
  expect(active.current[0]?.remainingMs).toBe(before - 10_000)
  const extended = active.current[0]?.extend?.(900_000)
  await page.rest()
  expect(await extended).toEqual({ status: 'accepted' })
  expect(active.current[0]?.remainingMs).toBe(before - 10_000 + 3_600_000)
  const revoked = active.current[0]?.revoke?.()
  await page.rest()
  expect(await revoked).toEqual({ status: 'accepted' })
  expect(active.current).toEqual([])
  expect(all.current).toMatchObject([{ lease: { state: 'revoked' }, extend: undefined, revoke: undefined }])
  page.client.close()
})

it('ends when the runtime says so, and not by the clock of the device', async () => {
  const { page, active, all } = await leased()
  await page.rest(86_400_000)
  expect(active.current).toMatchObject([{ remainingMs: 0, lease: { state: 'active' } }])
  page.runtime.emit('lease.revoked', { lease_id: 'lease_1', reason: 'expired' })
  await page.rest()
  expect(active.current).toEqual([])
  expect(all.current).toMatchObject([{ lease: { state: 'expired' } }])
  page.client.close()
})

it('is extended no more when its job has ended, and can still be given back', async () => {
  const { page, job, active } = await leased()
  expect(active.current[0]?.extend).toBeDefined()
  job.emit('job.completed', { value: 'Done.' })
  await page.rest()
  expect(active.current).toMatchObject([{ lease: { state: 'active' }, extend: undefined }])
  const revoked = active.current[0]?.revoke?.()
  await page.rest()
  expect(await revoked).toEqual({ status: 'accepted' })
  page.client.close()
})

it('says that a runtime does not take it back', async () => {
  const { page, active } = await leased({ takesBack: false })
  const revoked = active.current[0]?.revoke?.()
  await page.rest()
  expect(await revoked).toMatchObject({ status: 'refused' })
  expect(active.current).toHaveLength(1)
  page.client.close()
})

it('has no ways to change one that was declared with its job', async () => {
  const page = createArcpPage()
  const job = await page.begin()
  const declared = {
    permission: 'cost.budget',
    resource: 'USD:5.00',
    operation: '',
    expires_at: '2026-03-01T09:00:00Z',
  }
  job.emit('lease.granted', { lease_id: 'lease_9', ...declared })
  await page.rest()
  const { current } = renderHook(() => useArcpLeases(), { wrapper: page.wrapper }).result
  expect(current).toMatchObject([
    {
      lease: { name: 'cost.budget', state: 'active', canExtend: false, canRevoke: false },
      extend: undefined,
      revoke: undefined,
    },
  ])
  page.client.close()
})
