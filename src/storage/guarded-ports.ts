import type { StoragePorts } from './tabs/chat-storage.ts'

/**
 * Ports that do not throw where a browser blocks them, as it does in a sandboxed frame or where a person forbids sites
 * to keep data. Tabs that cannot talk do not wait for each other's lock either: each works alone, as without Web Locks.
 */
export function guardPorts(ports: StoragePorts): StoragePorts {
  const { openChannel, onLeave } = ports
  return {
    ...ports,
    openChannel(name) {
      try {
        return openChannel?.(name)
      } catch {
        return undefined
      }
    },
    onLeave(listener) {
      try {
        return onLeave(listener)
      } catch {
        return () => {}
      }
    },
  }
}
