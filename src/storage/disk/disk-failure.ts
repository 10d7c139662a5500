/** Of a DOMException or another error: it may come from another realm. */
export function nameOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'name') : undefined
}

/** Maps an error of the disk to the `reason` of {@link Persistence}. */
export function reasonOf(error: unknown, isOpen: boolean): 'unavailable' | 'full' | 'newer' | 'failed' {
  const name = nameOf(error)
  if (name === 'QuotaExceededError') return 'full'
  if (name === 'VersionError') return 'newer'
  return isOpen ? 'failed' : 'unavailable'
}
