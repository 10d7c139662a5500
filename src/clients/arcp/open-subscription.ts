import { noop } from '../../base/noop.ts'
import type { createSubscription, Subscribing, SubscribingOptions } from './arcp-subscription.ts'

/** What the module of subscriptions exports. */
interface SubscriptionModule {
  readonly createSubscription: typeof createSubscription
}

export interface OpenSubscriptionOptions extends SubscribingOptions {
  /** Loads it: many pages subscribe to nothing. */
  load(): Promise<SubscriptionModule>
  /** Whether `renew` was called for the connection that is open: it is asked on that one. */
  isConnected(): boolean
}

/** A subscription whose code is loaded with the first one. */
export function openSubscription(options: OpenSubscriptionOptions): Subscribing {
  let loaded: Subscribing | undefined
  let isClosed = false

  async function begin(): Promise<string> {
    try {
      const { createSubscription } = await options.load()
      if (isClosed) return ''
      loaded = createSubscription(options)
    } catch (error) {
      options.onOver()
      throw error
    }
    if (options.isConnected()) loaded.renew()
    return loaded.accepted
  }

  function leave(how: 'close' | 'drop'): void {
    if (loaded !== undefined) return loaded[how]()
    if (!isClosed) options.onOver()
    isClosed = true
  }

  const accepted = begin()
  accepted.catch(noop)
  return {
    accepted,
    renew: () => loaded?.renew(),
    hear: (message) => loaded?.hear(message),
    close: () => leave('close'),
    drop: () => leave('drop'),
  }
}
