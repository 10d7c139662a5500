import { noop } from '../base/noop.ts'
import type { Clock } from '../base/ports/clock.ts'
import type { ConnectionStep } from './connection-fault.ts'

/** The body of a response that goes the steps of a connection. It breaks off when the request is aborted, as over a network. */
export function bodyOf(
  steps: AsyncGenerator<ConnectionStep, void, void>,
  clock: Clock,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let cancelWait = noop
  let leave = noop

  const left = (): void => {
    cancelWait()
    signal.removeEventListener('abort', leave)
    // Not awaited: a step that waits for the agent ends when the agent does.
    steps.return().catch(noop)
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      leave = () => {
        left()
        controller.error(signal.reason)
      }
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    },
    async pull(controller) {
      const next = await steps.next()
      if (signal.aborted) return
      const step: ConnectionStep = next.done === true ? { type: 'end' } : next.value
      switch (step.type) {
        case 'send':
          if (step.bytes.byteLength > 0) return controller.enqueue(step.bytes)
          return
        case 'wait':
          return new Promise((resolve) => {
            cancelWait = clock.after(step.ms, resolve)
          })
        case 'hang':
          // Nothing is ever pulled again: only an abort ends it.
          return new Promise(noop)
        case 'end':
          left()
          return controller.close()
        case 'reset':
          left()
          return controller.error(new TypeError('The scripted connection broke.'))
      }
    },
    cancel: left,
  })
}
