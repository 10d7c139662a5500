import type { StoragePorts } from './tabs/chat-storage.ts'

/**
 * Ports that do not throw where a browser blocks them, as it does in a sandboxed frame or where a user forbids sites to
 * keep data. Without a channel, tabs do not wait for the lock either: each tab works alone, as without Web Locks.
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
