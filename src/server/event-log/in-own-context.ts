/**
 * Makes a function run in the asynchronous context that this is called in, whoever calls it. In workerd a context is a request: its
 * timers, streams and signals can be used in no other, and a promise that another request resolves continues in the one that made it.
 * Once a context has ended its calls never settle.
 */
export function inOwnContext<Value, Result>(
  call: (value: Value) => Promise<Result>,
): (value: Value) => Promise<Result> {
  let waiting: (() => void)[] = []
  let wake = (): void => {}

  const listen = (): void => {
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    void woken.then(startAll)
  }

  const startAll = (): void => {
    const due = waiting
    waiting = []
    listen()
    for (const start of due) start()
  }

  listen()
  return (value) =>
    new Promise((resolve, reject) => {
      waiting.push(() => void call(value).then(resolve, reject))
      wake()
    })
}
