/** Page visibility. Timers of a hidden page are throttled. */
export interface Visibility {
  isVisible(): boolean
  /** Calls back after each change; the returned function stops listening. */
  subscribe(listener: () => void): () => void
}

interface PageHost {
  addEventListener?(type: string, listener: (event: Event) => void): void
  removeEventListener?(type: string, listener: (event: Event) => void): void
}

/** Follows the page it runs in. What has no page (a worker, a server) counts as visible. */
export function createVisibility(host: PageHost = globalThis): Visibility {
  const listeners = new Set<() => void>()
  let visible = true

  // The event bubbles up from the document, which carries the state: nothing here needs a document to exist.
  const changed = (event: Event): void => {
    const state: unknown = event.target === null ? undefined : Reflect.get(event.target, 'visibilityState')
    visible = state !== 'hidden'
    for (const listener of [...listeners]) listener()
  }

  return {
    isVisible: () => visible,
    subscribe(listener) {
      if (listeners.size === 0) {
        host.addEventListener?.('visibilitychange', changed)
        host.addEventListener?.('pageshow', changed)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        host.removeEventListener?.('visibilitychange', changed)
        host.removeEventListener?.('pageshow', changed)
      }
    },
  }
}
