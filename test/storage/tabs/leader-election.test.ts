import { describe, expect, it } from 'vitest'
import { createLeaderElection } from '../../../src/storage/tabs/leader-election.ts'
import type { TabLocks } from '../../../src/storage/tabs/leader-election.ts'
import { createManualClock } from '../../support/manual-clock.ts'

interface Request {
  readonly steal: boolean
  grant(): void
  reject(error: Error): void
}

/** An election over locks whose grants and losses are told when the test says so. */
function elect() {
  const requests: Request[] = []
  const told: string[] = []
  const locks: TabLocks = {
    request: (_name, { steal = false }, held) =>
      new Promise((resolve, reject) => {
        requests.push({ steal, grant: () => resolve(held()), reject })
      }),
  }
  const election = createLeaderElection({
    locks,
    clock: createManualClock(),
    name: 'lock',
    onElected: () => told.push('elected'),
    onLost: () => told.push('lost'),
    onUnavailable: () => told.push('unavailable'),
  })
  return { election, requests, told }
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

describe('an election whose lock is stolen', () => {
  it('before the grant is told waits for the lock again, and does not lead when the grant is told after all', async () => {
    const { election, requests, told } = elect()
    election.steal()
    requests[1]?.reject(new DOMException('stolen', 'AbortError'))
    await settle()
    requests[1]?.grant()
    await settle()
    expect(told).toEqual([])
    requests[0]?.grant()
    await settle()
    expect(told).toEqual(['elected'])
  })

  it('while it waits in the queue waits there again', async () => {
    const { requests, told } = elect()
    requests[0]?.reject(new DOMException('stolen', 'AbortError'))
    await settle()
    expect(requests).toHaveLength(2)
    requests[1]?.grant()
    await settle()
    expect(told).toEqual(['elected'])
  })

  it('leads for good where the platform refuses locks', async () => {
    const { requests, told } = elect()
    requests[0]?.reject(new DOMException('no locks here', 'SecurityError'))
    await settle()
    expect(told).toEqual(['unavailable', 'elected'])
  })
})
