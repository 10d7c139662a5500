import { expect, it } from 'vitest'
import type { Lease } from '../../src/seam/lease.ts'
import { createLeaseReader } from '../../src/state/run.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'
import type { FakeTab } from './fake-tabs.ts'
import { createFakeBrowser, rest } from './fake-tabs.ts'

const LEASE: Lease = { name: 'fs.write', state: 'active', canRevoke: true, until: 90_000 }

it('is the same in every tab and after a reload, and revoked from any tab, once', async () => {
  const browser = createFakeBrowser({ peer: createScriptedPeer({ canAct: true }) })
  const open = async (): Promise<FakeTab> => {
    const tab = browser.openTab()
    void tab.chat.resume()
    await rest()
    return tab
  }
  const leases = ({ chat }: FakeTab): readonly Lease[] =>
    createLeaseReader()(chat.getSnapshot().messages).map(({ lease }) => lease)
  const first = await open()
  void first.chat.sendMessage('Go')
  await rest()
  browser.peer.connection.event(1, {
    type: 'part',
    streamId: 's1',
    partId: 'l1',
    part: { type: 'lease', lease: LEASE },
  })
  await rest()
  await first.close()
  const [leader, follower] = [await open(), await open()]
  expect([leases(leader), leases(follower)]).toEqual([[LEASE], [LEASE]])
  const revoked = follower.chat.changeLease('l1', { type: 'revoke' })
  await rest()
  expect(await revoked).toEqual({ status: 'accepted' })
  await browser.environment.clock.advance(1000)
  await rest()
  for (const tab of [leader, follower]) expect(leases(tab)).toEqual([{ ...LEASE, state: 'revoked' }])
  expect(browser.peer.commands).toMatchObject([{ type: 'lease', leaseId: 'l1', change: { type: 'revoke' } }])
})
