/** Whether the device believes it has a network. A hint: "online" proves nothing, "offline" saves attempts. */
export interface Online {
  isOnline(): boolean
  /** Calls back after each change; the returned function stops listening. */
  subscribe(listener: () => void): () => void
}

interface NetworkHost {
  readonly navigator?: { readonly onLine?: boolean }
  addEventListener?(type: string, listener: () => void): void
  removeEventListener?(type: string, listener: () => void): void
}

/** Reads what the browser or worker reports; where nothing is reported, always online. */
export const systemOnline: Online = {
  isOnline: () => (globalThis as NetworkHost).navigator?.onLine !== false,
  subscribe(listener) {
    const host: NetworkHost = globalThis
    host.addEventListener?.('online', listener)
    host.addEventListener?.('offline', listener)
    return () => {
      host.removeEventListener?.('online', listener)
      host.removeEventListener?.('offline', listener)
    }
  },
}
