/** What each owner may have of something at a time. */
export interface Quota {
  readonly limit: number
  /** Whether an owner may have so much more. @param amount @default 1 */
  fits(owner: string, amount?: number): boolean
  /** Counts what an owner has from now on, also above the limit. @param amount @default 1 */
  take(owner: string, amount?: number): void
  /** @param amount @default 1 */
  release(owner: string, amount?: number): void
}

export function createQuota(limit: number): Quota {
  const used = new Map<string, number>()
  const usedBy = (owner: string): number => used.get(owner) ?? 0
  return {
    limit,
    fits: (owner, amount = 1) => usedBy(owner) + amount <= limit,
    take: (owner, amount = 1) => void used.set(owner, usedBy(owner) + amount),
    release(owner, amount = 1) {
      const left = usedBy(owner) - amount
      if (left > 0) used.set(owner, left)
      else used.delete(owner)
    },
  }
}

/** Ids that are remembered for several owners, in bounded memory. */
interface FairMemory {
  /**
   * Remembers an id. Returns the id that is forgotten for it: the oldest of the owner with the most, so that an owner with many entries
   * does not displace those of the others.
   */
  add(owner: string, id: string): string | undefined
}

export function createFairMemory(capacity: number): FairMemory {
  const byOwner = new Map<string, Set<string>>()
  let size = 0

  /** An owner with more than an equal share has the most, or enough of it. */
  function largest(owner: string, own: ReadonlySet<string>): string {
    let found = owner
    let most = own.size
    for (const [other, { size: count }] of most > capacity / byOwner.size ? [] : byOwner) {
      if (count <= most) continue
      found = other
      most = count
    }
    return found
  }

  return {
    add(owner, id) {
      const own = byOwner.get(owner) ?? new Set()
      byOwner.set(owner, own)
      size += own.has(id) ? 0 : 1
      own.add(id)
      if (size <= capacity) return undefined
      const loser = largest(owner, own)
      const ids = byOwner.get(loser)
      const [oldest] = ids ?? []
      if (ids === undefined || oldest === undefined) return undefined
      ids.delete(oldest)
      if (ids.size === 0) byOwner.delete(loser)
      size -= 1
      return oldest
    },
  }
}
