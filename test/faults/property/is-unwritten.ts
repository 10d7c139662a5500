import type { ChatMessage, MessagePart } from '../../../src/state/turn.ts'

/** Whether nothing has changed but what is known of the agent's work on a stopped run, and of answers that were on their way. */
export function isUnwritten(before: readonly ChatMessage[], after: readonly ChatMessage[]): boolean {
  if (after === before) return true
  return (
    after.length === before.length &&
    after.every((message, index) => {
      const known = before[index]
      if (known === undefined || message === known) return message === known
      const { stop, parts, ...rest } = message
      const isStop = stop === known.stop || (known.stop === 'cancelling' && (stop === 'cancelled' || stop === 'left'))
      const isSame = (key: string): boolean =>
        key === 'stop' || key === 'parts' || Reflect.get(rest, key) === Reflect.get(known, key)
      return isStop && Object.keys(known).every(isSame) && haveSettled(known.parts, parts)
    })
  )
}

function haveSettled(before: readonly MessagePart[], after: readonly MessagePart[]): boolean {
  return (
    before.length === after.length &&
    before.every((part, index) => {
      const now = after[index]
      return part === now || (part.type === 'prompt' && now?.type === 'prompt' && part.prompt.state === 'sending')
    })
  )
}
