import { createAgentHandler } from 'capstan/server'
import { createAgentObject, type DurableObjectContext } from 'capstan/server/cloudflare'
import { agent } from './agent.ts'

interface Env {
  readonly AGENT: {
    idFromName(name: string): unknown
    get(id: unknown): { fetch(http: Request): Promise<Response> }
  }
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

export default {
  fetch: (http: Request, env: Env): Promise<Response> => env.AGENT.get(env.AGENT.idFromName(userOf(http))).fetch(http),
}
