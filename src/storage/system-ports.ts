import { systemClock } from '../base/ports/clock.ts'
import { systemEnvironment, createVisibility } from '../base/ports/environment.ts'
import { unlessBlocked } from '../base/ports/connection-slots.ts'
import type { StoragePorts } from './tabs/chat-storage.ts'
import { openIndexedDbDisk } from './disk/indexed-db-disk.ts'
import type { TabLocks } from './tabs/leader-election.ts'
import type { TabChannel } from './tabs/tab-message.ts'

interface PageHost {
  readonly navigator?: { readonly locks?: TabLocks }
  readonly BroadcastChannel?: typeof BroadcastChannel
  addEventListener?(type: string, listener: () => void): void
  removeEventListener?(type: string, listener: () => void): void
}

/** The browser's storage and tabs. Nothing is touched before it is used, so that a server can load it. */
export function systemPorts(): StoragePorts {
  const host: PageHost = globalThis
  const Channel = unlessBlocked(() => host.BroadcastChannel)
  return {
    clock: systemClock,
    visibility: createVisibility(),
    openDisk: (name, events) => openIndexedDbDisk(name, events, systemEnvironment.uuid),
    locks: Channel === undefined ? undefined : unlessBlocked(() => host.navigator?.locks),
    openChannel: Channel === undefined ? undefined : (name) => openChannel(new Channel(name)),
    onLeave(listener) {
      // A page that is closed is hidden first on most systems, on some only this comes.
      host.addEventListener?.('pagehide', listener)
      return () => host.removeEventListener?.('pagehide', listener)
    },
  }
}

function openChannel(channel: BroadcastChannel): TabChannel {
  let isOpen = true
  return {
    post(message) {
      try {
        // A channel reaches our own origin only, and takes no other argument.
        // oxlint-disable-next-line unicorn/require-post-message-target-origin
        if (isOpen) channel.postMessage(message)
      } catch {
        // Values that cannot be cloned are not sent.
      }
    },
    onMessage(listener) {
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => (isOpen ? listener(data) : undefined))
    },
    close() {
      isOpen = false
      channel.close()
    },
  }
}
