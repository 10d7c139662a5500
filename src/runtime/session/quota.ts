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
