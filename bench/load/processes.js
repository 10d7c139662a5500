import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A script of this folder in its own process that answers requests. Its memory is that of the script alone. */
export async function start(script, data) {
  const child = fork(new URL(script, import.meta.url), [], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // So that an infinite limit arrives as one.
    serialization: 'advanced',
  })
  const waiting = new Map()
  let count = 0
  let ended
  child.on('message', ({ id, value }) => {
    waiting.get(id)?.resolve(value)
    waiting.delete(id)
  })
  child.on('exit', (code, signal) => {
    ended = `${script} ended with ${signal ?? code}.`
    for (const { reject } of waiting.values()) reject(new Error(ended))
  })
  const ask = (type, more) =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(new Error(ended))
      count += 1
      waiting.set(count, { resolve, reject })
      child.send({ id: count, type, more })
    })
  const ready = await ask('start', data)
  return {
    ready,
    ask,
    async stop() {
      if (ended !== undefined) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Answers requests of the process that has started this one, by their type. */
export function answer(handlers) {
  const reply = async ({ id, type, more }) => process.send({ id, value: await handlers[type](more) })
  process.on('message', (asked) => void reply(asked))
}

/** Memory of this process in MB: what is left after a collection, all that it has of the machine, and the most it had. */
export function memory() {
  globalThis.gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  const mb = (bytes) => Math.round(bytes / 1e6)
  return { live: mb(heapUsed + external), rss: mb(rss), peak: mb(process.resourceUsage().maxRSS * 1024) }
}

/** The value of a promise, or `late` after a time, so that no measurement runs without end. */
export async function within(ms, promise, late) {
  let timer
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms, late)
  })
  try {
    return await Promise.race([promise, limit])
  } finally {
    clearTimeout(timer)
  }
}
