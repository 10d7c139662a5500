import { createAgentHandler } from 'capstan/server'
import { agent } from './agent.ts'

declare const Bun: {
  serve(options: {
    readonly port: number
    readonly hostname: string
    readonly fetch: (http: Request) => Promise<Response>
  }): { readonly url: URL }
}

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: createAgentHandler({ agent }) })
console.log(server.url.href)
