import type { Persistence } from '../../src/state/thread.ts'
import type { StoredThread } from '../../src/storage/records/thread-disk.ts'
import type { WriteBehind } from '../../src/storage/disk/write-behind.ts'
import { createWriteBehind } from '../../src/storage/disk/write-behind.ts'
import type { ManualClock } from '../support/manual-clock.ts'
import { createManualClock } from '../support/manual-clock.ts'
import type { FakeDisk } from './fake-tabs.ts'

export const thread = (id: string): StoredThread => ({
  id,
  title: id,
  named: false,
  status: 'idle',
  unread: false,
  createdAt: 1,
  updatedAt: 1,
})
export const errorOf = (name: string): Error => Object.assign(new Error(name), { name })

/** A write-behind over a disk, on its own clock, with all it has told. */
export function over(
  disk: FakeDisk,
  open: () => Promise<FakeDisk> = async () => disk,
): { behind: WriteBehind; told: Persistence[]; clock: ManualClock } {
  const told: Persistence[] = []
  const clock = createManualClock()
  const behind = createWriteBehind({
    open,
    onDamaged: () => {},
    resumeWithinMs: Infinity,
    onPersistenceChange: () => told.push(behind.persistence),
    onRefused: () => false,
    clock,
  })
  return { behind, told, clock }
}
