import { attempt } from '../../../base/attempt.ts'
import type { Environment } from '../../../base/ports/environment.ts'
import { isEndOfBackfill } from '../fold/fold-rare-message.ts'
import type { ArcpMessage } from '../read/message.ts'
import { readAnyMessage } from '../read/rare-payloads.ts'
import type { ArcpFilter } from '../schema/payloads.ts'
import { createSeenIds } from '../ledger/seen-ids.ts'
import type { MessageWriter } from '../write-message.ts'
import type { ArcpSubscribeOptions } from './arcp-connection.ts'
import type { RuntimeCall } from './call-runtime.ts'

/** A subscription of this client. */
export interface ArcpSubscription {
  /** Resolves with its id when the runtime has accepted it first. Rejects with an ArcpError when it does not. */
  readonly accepted: Promise<string>
  /** Ends it. Idempotent. */
  close(): void
}

export interface SubscribingOptions extends ArcpSubscribeOptions {
  readonly filter: ArcpFilter
  readonly writer: MessageWriter
  readonly environment: Environment
  /** Whether the ids of the runtime's messages sort by time, so that the message that accepts a subscription is a place to continue from. */
  readonly hasSortedIds: boolean
  call<Answer>(call: RuntimeCall<Answer>): Promise<Answer>
  /** Called once it has ended, by either side. */
  onOver(): void
}

/** A subscription over connections: asked for again on each new one, from the last message that came. */
export interface Subscribing extends ArcpSubscription {
  /** Another connection is open, which does not know it. */
  renew(): void
  hear(message: ArcpMessage): void
  /** Its connection is being closed, and it with that: there is nothing to tell the runtime. */
  drop(): void
}

export function createSubscription(options: SubscribingOptions): Subscribing {
  const { filter, writer, environment, call, onOver } = options
  const seen = createSeenIds()
  let { after } = options
  let id: string | undefined
  let isOver = false
  let settle: { resolve(id: string): void; reject(error: unknown): void } | undefined
  const accepted = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject }
  })
  accepted.catch(() => undefined)

  function end(reason?: string): void {
    if (isOver) return
    isOver = true
    onOver()
    if (reason !== undefined) attempt(environment.report, () => options.onClosed?.(reason))
  }

  async function ask(): Promise<void> {
    const since = after === undefined ? {} : { since: { after_message_id: after } }
    const message = writer.write('subscribe', { filter, ...since })
    try {
      const found = await call({
        message,
        match(reply) {
          if (reply.type !== 'subscribe.accepted' || reply.correlation_id !== message.id) return undefined
          // At once: its first events may be in the same batch.
          id = reply.payload.subscription_id
          // Otherwise a connection that breaks before the first event would lose what is logged until the next one.
          if (options.hasSortedIds) after ??= reply.id
          return id
        },
      })
      if (isOver) return leave(found)
      settle?.resolve(found)
    } catch (error) {
      settle?.reject(error)
      end(error instanceof Error ? error.message : 'refused')
    }
  }

  function drop(): void {
    // What still waits to be accepted never will be.
    settle?.resolve(id ?? '')
    end()
  }

  function leave(subscriptionId: string): void {
    const message = writer.write(
      'unsubscribe',
      { subscription_id: subscriptionId },
      { subscription_id: subscriptionId },
    )
    const ping = writer.write('ping', {})
    const match = (reply: ArcpMessage): true | undefined =>
      reply.type === 'subscribe.closed' || (reply.type === 'pong' && reply.correlation_id === ping.id)
        ? true
        : undefined
    // Delivery does not matter here: later messages for it are dropped.
    call({ message, behind: ping, match }).catch(() => undefined)
  }

  function pass(event: unknown): void {
    if (isEndOfBackfill(event)) return attempt(environment.report, () => options.onBackfilled?.())
    let message: ArcpMessage
    try {
      message = readAnyMessage(event)
    } catch {
      // What another client sent may be of its own version.
      return
    }
    if (!seen.add(undefined, message.id)) return
    after = message.id
    attempt(environment.report, () => options.onMessage(message))
  }

  return {
    accepted,
    renew() {
      id = undefined
      void ask()
    },
    hear(message) {
      if (message.type === 'subscribe.event' && message.subscription_id === id && id !== undefined)
        pass(message.payload.event)
      if (message.type === 'subscribe.closed' && message.payload.subscription_id === id && id !== undefined) {
        id = undefined
        end(message.payload.code ?? message.payload.reason)
      }
    },
    close() {
      const known = id
      if (isOver) return
      drop()
      if (known !== undefined) leave(known)
    },
    drop,
  }
}
