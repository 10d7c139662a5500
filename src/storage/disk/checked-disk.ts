import { isRecord, isString } from '../../base/guards.ts'
import { report } from '../../base/ports/environment.ts'
import { readRecord, readThread } from '../records/read-record.ts'
import { isThread } from '../records/stored-fields.ts'
import type { DamagedRecord, StoredThread, ThreadDisk, ThreadRecord } from '../records/thread-disk.ts'

/**
 * Validates the records of the disk below. Damaged ones never reach a chat: they
 * are reported, once each, and set aside where the disk can do that. A thread that cannot be read never stops another.
 */
export function checkDisk(disk: ThreadDisk, onDamaged: (damaged: DamagedRecord) => void): ThreadDisk {
  const reported = new Set<string>()

  /** Gives what `reading` made, after what it reported was set aside: what follows may write over it. */
  async function quarantine<Value>(reading: (note: (damaged: DamagedRecord) => void) => Value): Promise<Value> {
    const damaged: DamagedRecord[] = []
    const value = reading((found) => {
      const key = JSON.stringify([found.kind, found.threadId, found.messageId, found.problem])
      if (reported.has(key)) return
      reported.add(key)
      damaged.push(found)
    })
    if (damaged.length > 0) {
      try {
        await disk.setAside?.(damaged)
      } catch {
        // A copy for developers, which nothing depends on.
      }
      for (const found of damaged) tell(found)
    }
    return value
  }

  function tell(found: DamagedRecord): void {
    try {
      onDamaged(found)
    } catch (error) {
      report(error)
    }
  }

  async function read(id: string): Promise<ThreadRecord> {
    const record: unknown = await disk.read(id)
    return quarantine((note) => readRecord(id, record, note))
  }

  async function listed(row: unknown): Promise<StoredThread | undefined> {
    const id = isRecord(row) ? row.id : undefined
    if (!isString(id)) {
      await quarantine((note) => note({ kind: 'thread', threadId: String(id), problem: 'id', record: row }))
      return undefined
    }
    if (isThread(row)) return row
    try {
      const record = await read(id)
      return await quarantine((note) => readThread(id, row, record, note))
    } catch {
      return undefined
    }
  }

  return {
    // Asked of the disk each time: it may be an object of a class.
    write: (changes) => disk.write(changes),
    wipe: () => disk.wipe(),
    close: () => disk.close(),
    read,
    generation: disk.generation,
    async acquireTerm(id, atLeast) {
      const { record, ...acquired } = await disk.acquireTerm(id, atLeast)
      return { ...acquired, record: await quarantine((note) => readRecord(id, record, note)) }
    },
    async threads() {
      const rows: unknown = await disk.threads()
      const all = await Promise.all((Array.isArray(rows) ? rows : []).map(listed))
      return all.filter((thread) => thread !== undefined)
    },
  }
}
