/**
 * Lets the page do whatever else waits: paint, answer a press. Over a message channel, as timers of a hidden page come
 * once a second; by a timer where there is none.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
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
