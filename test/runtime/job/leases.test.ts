import { beforeAll, describe, expect, it } from 'vitest'
import type { ArcpGrantedLease } from '../../../src/runtime/job/tool.ts'
import type { RawClient, Served } from '../served-runtime.ts'
import { serve } from '../served-runtime.ts'
import { loadArcpOnDemand } from '../../support/load-arcp-on-demand.ts'

// What the client loads on demand is there.
beforeAll(loadArcpOnDemand)

const SUBJECT = { permission: 'files.write', resource: '/notes', operation: 'append' }

interface Asked extends Served {
  readonly client_: RawClient
  readonly requestId: string
  /** The lease, once it is granted. */
  lease(): ArcpGrantedLease
  fault(): unknown
}

/** A job that has asked for a permission. */
async function ask(options: { maxLeaseSeconds?: number } = {}): Promise<Asked> {
  let granted: ArcpGrantedLease | undefined
  let refused: unknown
  const served = serve({
    ...options,
    tools: {
      write: async (_given, { requestPermission, signal }) => {
        try {
          granted = await requestPermission({ ...SUBJECT, reason: 'To keep it', leaseSeconds: 60 })
        } catch (fault) {
          refused = fault
          throw fault
        }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    },
  })
  const client = await served.raw()
  client.send('tool.invoke', { tool: 'write' })
  await served.settle()
  return {
    ...served,
    client_: client,
    requestId: client.last('permission.request').id,
    lease() {
      if (granted === undefined) throw new Error('Nothing is granted.')
      return granted
    },
    fault: () => refused,
  }
}

describe('a permission', () => {
  it('becomes a lease, which is extended, and revoked for all to see', async () => {
    const { client_: client, requestId, lease, settle, pass, runtime } = await ask()
    expect(client.last('permission.request').payload).toEqual({
      ...SUBJECT,
      reason: 'To keep it',
      requested_lease_seconds: 60,
    })
    const grant = client.send('permission.grant', { ...SUBJECT, lease_seconds: 30 }, { correlation_id: requestId })
    await settle()
    const { payload } = client.last('lease.granted')
    expect(client.last('lease.granted')).toMatchObject({ correlation_id: requestId, causation_id: grant })
    expect(payload).toMatchObject({ ...SUBJECT, lease_id: lease().id, expires_at: '2026-03-01T08:15:30.000Z' })
    await pass(20_000)
    const refresh = client.send('lease.refresh', { lease_id: lease().id, requested_seconds: 60 })
    await settle()
    expect(client.last('lease.extended')).toMatchObject({
      correlation_id: refresh,
      payload: { lease_id: lease().id, expires_at: '2026-03-01T08:16:20.000Z' },
    })
    await pass(59_000)
    expect(lease().signal.aborted).toBe(false)
    runtime.revokeLease(lease().id, 'The administrator said so')
    await settle()
    expect(client.last('lease.revoked').payload).toEqual({ lease_id: lease().id, reason: 'The administrator said so' })
    expect(lease().signal.reason).toMatchObject({ code: 'LEASE_REVOKED' })
    client.send('lease.refresh', { lease_id: lease().id, requested_seconds: 60 })
    await settle()
    expect(client.last('nack').payload).toMatchObject({ code: 'LEASE_REVOKED' })
  })

  it('is swept on the clock of the runtime when its time has expired', async () => {
    const { client_: client, requestId, lease, settle, pass } = await ask()
    client.send('permission.grant', SUBJECT, { correlation_id: requestId })
    await settle()
    await pass(59_999)
    expect(client.of('lease.revoked')).toEqual([])
    await pass(1)
    expect(client.last('lease.revoked').payload).toMatchObject({ reason: 'expired' })
    expect(lease().signal.reason).toMatchObject({ code: 'LEASE_EXPIRED' })
    client.send('lease.refresh', { lease_id: lease().id, requested_seconds: 60 })
    client.send('lease.refresh', { lease_id: 'lease_none', requested_seconds: 60 })
    await settle()
    expect(client.of('nack').map(({ payload }) => payload.code)).toEqual(['LEASE_EXPIRED', 'NOT_FOUND'])
  })

  it('is never longer than the runtime allows, and no other than was asked for', async () => {
    const { client_: client, requestId, settle } = await ask({ maxLeaseSeconds: 45 })
    client.send('permission.grant', { ...SUBJECT, resource: '/' }, { correlation_id: requestId })
    await settle()
    expect(client.last('nack').payload).toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { errors: [{ path: '/resource' }] },
    })
    expect(client.of('lease.granted')).toEqual([])
    client.send('permission.grant', { ...SUBJECT, lease_seconds: 9_000 }, { correlation_id: requestId })
    await settle()
    expect(client.last('lease.granted').payload).toMatchObject({ expires_at: '2026-03-01T08:15:45.000Z' })
  })

  it('that is denied fails the job under that code, unless its tool continues', async () => {
    const { client_: client, requestId, settle, fault } = await ask()
    client.send('permission.deny', { ...SUBJECT, reason: 'Not there' }, { correlation_id: requestId })
    await settle()
    expect(fault()).toMatchObject({ code: 'PERMISSION_DENIED', message: 'Not there' })
    expect(client.last('tool.error').payload).toMatchObject({ code: 'PERMISSION_DENIED', message: 'Not there' })
  })

  it('is taken back by the client that gave it, where it wants to', async () => {
    const { client_: client, requestId, lease, settle } = await ask()
    client.send('permission.grant', SUBJECT, { correlation_id: requestId })
    await settle()
    client.send('lease.revoked', { lease_id: lease().id, reason: 'On second thought' })
    await settle()
    expect(lease().signal.aborted).toBe(true)
    expect(client.last('lease.revoked').payload).toMatchObject({ reason: 'On second thought' })
  })

  it('is granted and extended through the client of this package', async () => {
    const served = await ask()
    const { client, settle } = served
    const arcp = client()
    const job = arcp.invoke('write')
    job.result.catch(() => undefined)
    await settle()
    const [prompt] = arcp.getState().prompts.values()
    const granted = arcp.grant(prompt?.id ?? '', 20)
    await settle()
    expect(await granted).toEqual({ result: 'accepted' })
    const [lease] = arcp.getState().leases.values()
    expect(lease).toMatchObject({ ...SUBJECT, state: 'active', expiresAt: '2026-03-01T08:15:20.000Z' })
    const extended = arcp.refreshLease(lease?.id ?? '', 90)
    await settle()
    expect(await extended).toBe('2026-03-01T08:16:30.000Z')
    await served.pass(90_000)
    expect([...arcp.getState().leases.values()]).toMatchObject([{ state: 'revoked', reason: 'expired' }])
    arcp.close()
  })
})
