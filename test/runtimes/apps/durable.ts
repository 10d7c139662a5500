import { createAgentHandler } from 'capstan/server'
import { createAgentObject, type DurableObjectContext } from 'capstan/server/cloudflare'
import { agent } from './agent.ts'

interface Space {
  getByName(name: string): { fetch(http: Request): Promise<Response> }
}

interface Env {
  readonly AGENT: Space
  readonly BRIEF: Space
  readonly SLEEPER: Space
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

/** How many requests have been left without an answer, by all instances. */
let unanswered = 0

/** Leaves its first request without an answer and without a timer, so that the platform lets it hibernate. Counts its instances. */
export class Sleeper extends createAgentObject<Env>((storage) => {
  const handler = createAgentHandler({ ...storage, agent })
  return async (http) => {
    if (unanswered > 0) return handler(http)
    unanswered += 1
    return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
  }
}) {
  readonly #instance = crypto.randomUUID()

  override async fetch(http: Request): Promise<Response> {
    return http.url.endsWith('/instance') ? new Response(this.#instance) : super.fetch(http)
  }
}

export default {
  fetch(http: Request, env: Env): Promise<Response> {
    const [, first] = new URL(http.url).pathname.split('/')
    const space = first === 'brief' ? env.BRIEF : first === 'sleeper' ? env.SLEEPER : env.AGENT
    return space.getByName(userOf(http)).fetch(http)
  },
}
