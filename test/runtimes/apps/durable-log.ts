import type { EventLog } from 'capstan/server'
import { eventLogCases, manualClock } from 'capstan/testing'
import type { DurableObjectContext } from 'capstan/server/cloudflare'
import { durableDatabase } from '../../../src/server/platforms/agent-object.ts'
import { sqliteEventLog } from '../../../src/server/event-log/sqlite/sqlite-event-log.ts'

interface Env {
  readonly LOG: { getByName(name: string): { fetch(http: Request): Promise<Response> } }
}

/** Carries out cases on event logs in the database of a Durable Object. */
export class Log {
  readonly #storage: DurableObjectContext['storage']
  #opened = 0

  constructor({ storage }: DurableObjectContext) {
    this.#storage = storage
  }

  async fetch(http: Request): Promise<Response> {
    const name = new URL(http.url).searchParams.get('case')
    const found = eventLogCases.find((each) => each.name === name)
    if (found === undefined) return new Response(`There is no case ${name}.`, { status: 404 })
    try {
      await found.run((limits) => {
        const clock = manualClock()
        this.#opened += 1
        const prefix = `log_${this.#opened}_`
        const openLog = (): EventLog => sqliteEventLog(durableDatabase(this.#storage), { clock, prefix, ...limits })
        return { log: openLog(), ttlMs: 600_000, pass: (ms) => clock.advance(ms), crash: async () => openLog() }
      })
      return new Response('passed')
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error), { status: 500 })
    }
  }
}

export default {
  fetch: (http: Request, env: Env): Promise<Response> => env.LOG.getByName('log').fetch(http),
}
