import type { ChatMessage } from '../../../src/state/conversation/message.ts'

/** Whether nothing has changed but what is known of the agent's work on a stopped run. */
export function isUnwritten(before: readonly ChatMessage[], after: readonly ChatMessage[]): boolean {
  if (after === before) return true
  return (
    after.length === before.length &&
    after.every((message, index) => {
      const known = before[index]
      if (known === undefined || message === known) return message === known
      const { stop, ...rest } = message
      return (
        known.stop === 'cancelling' &&
        (stop === 'cancelled' || stop === 'left') &&
        Object.keys(known).every((key) => key === 'stop' || Reflect.get(rest, key) === Reflect.get(known, key))
      )
    })
  )
}
