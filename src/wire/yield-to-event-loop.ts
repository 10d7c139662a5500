interface Host {
  setImmediate?(callback: () => void): unknown
}

/** Taken when the module is loaded: fake timers that a test installs later do not stop the reading of a stream. */
const { setImmediate } = globalThis as Host

/**
 * Lets the page do whatever else waits: paint, answer a press. Over a message channel, as timers of a hidden page come
 * once a second; by a timer where there is none. Servers have `setImmediate`: there a channel costs more than many packets.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate !== undefined) return void setImmediate(resolve)
    if (typeof MessageChannel === 'undefined') return void setTimeout(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}
