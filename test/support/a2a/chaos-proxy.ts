import { afterEach } from 'vitest'
import type { FaultyServer, ServerFault } from '../../../src/testing/faulty-server.ts'
import { faultyServer } from '../../../src/testing/faulty-server.ts'

const servers: FaultyServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A request that is answered with an event stream, in every binding and version. */
const STREAMS = /"(?:SendStreamingMessage|SubscribeToTask|message\/stream|tasks\/resubscribe)"/

/**
 * A server before an agent that breaks the streams between them, until the test ends; everything else passes.
 *
 * @param faults of the n-th stream, in order; later streams are whole. A function is asked for every stream
 * @returns the origin that stands for that of the agent
 */
export async function chaosProxy(
  origin: string,
  faults: readonly (ServerFault | undefined)[] | ((stream: number) => ServerFault | undefined),
): Promise<string> {
  let streams = 0
  const server = await faultyServer({
    handler: async (request) => {
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'POST' ? await request.text() : undefined
      return fetch(`${origin}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        signal: request.signal,
        ...(body && { body }),
      })
    },
    faults({ body }) {
      if (!STREAMS.test(body)) return undefined
      const stream = streams
      streams += 1
      return typeof faults === 'function' ? faults(stream) : faults[stream]
    },
  })
  servers.push(server)
  return server.origin
}
