import { createAgentHandler } from 'capstan/server'
import { createAgentObject, type DurableObjectContext } from 'capstan/server/cloudflare'
import { agent } from './agent.ts'

interface Space {
  getByName(name: string): { fetch(http: Request): Promise<Response> }
}

interface Env {
  readonly AGENT: Space
  readonly BRIEF: Space
}

const userOf = (http: Request): string => http.headers.get('authorization') ?? 'nobody'

const AgentObject = createAgentObject<Env>((storage) => createAgentHandler({ ...storage, agent, authorize: userOf }))

/** Counts its instances, and dies when it is told to. */
export class Agent extends AgentObject {
  readonly #context: DurableObjectContext & { abort(reason: string): void }
  readonly #instance = crypto.randomUUID()

  constructor(context: DurableObjectContext & { abort(reason: string): void }, env: Env) {
    super(context, env)
    this.#context = context
  }

  override async fetch(http: Request): Promise<Response> {
    const { pathname } = new URL(http.url)
    if (pathname === '/kill') this.#context.abort('The test kills this instance.')
    if (pathname === '/instance') return new Response(this.#instance)
    return super.fetch(http)
  }
}

/** Forgets at once, and counts what it has. */
export class Brief extends createAgentObject<Env>((storage) => createAgentHandler({ ...storage, agent }), {
  ttlMs: 1,
}) {
  readonly #sql: DurableObjectContext['storage']['sql']

  constructor(context: DurableObjectContext, env: Env) {
    super(context, env)
    this.#sql = context.storage.sql
  }

  override async fetch(http: Request): Promise<Response> {
    if (!http.url.endsWith('/entries')) return super.fetch(http)
    return Response.json(this.#sql.exec('SELECT COUNT(*) AS count FROM capstan_entries').toArray())
  }
}

export default {
  fetch(http: Request, env: Env): Promise<Response> {
    const space = new URL(http.url).pathname.startsWith('/brief') ? env.BRIEF : env.AGENT
    return space.getByName(userOf(http)).fetch(http)
  },
}
