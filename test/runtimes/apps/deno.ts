import { createAgentHandler } from 'capstan/server'
import { agent } from './agent.ts'

declare const Deno: {
  serve(
    options: {
      readonly port: number
      readonly hostname: string
      readonly onListen: (address: { readonly port: number }) => void
    },
    handler: (http: Request) => Promise<Response>,
  ): void
}

Deno.serve(
  { port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log(`http://127.0.0.1:${port}/`) },
  createAgentHandler({ agent }),
)
