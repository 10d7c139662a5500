import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { afterEach } from 'vitest'
import type { DocsPage } from '../../playground/server/docs/docs-page.ts'
import type { Pace } from '../../playground/server/pace.ts'
import { createPlayground } from '../../playground/server/playground.ts'
import type { NetworkCommand, NetworkState } from '../../playground/server/network/network-state.ts'
import type { Clock } from '../../src/base/ports/clock.ts'
import { post, type Posting } from '../server/peer.ts'
import { instantPace } from './instant-pace.ts'

export interface OpenPlayground {
  readonly origin: string
  /** Posts to the agent. */
  ask(posting?: Posting): Promise<Response>
  network(command: NetworkCommand): Promise<NetworkState>
  state(requestId?: string): Promise<NetworkState>
}

const closing: (() => void)[] = []

afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** The playground behind a real server until the test ends. What it does not answer becomes 418. */
export async function openPlayground(
  options: { pages?: readonly DocsPage[]; pace?: Pace; clock?: Clock; outputFolder?: string } = {},
): Promise<OpenPlayground> {
  const { pages = [], pace = instantPace, clock, outputFolder } = options
  const playground = createPlayground({ pages, pace, clock, outputFolder, onError: (error) => console.error(error) })
  const server = createServer((req, res) => {
    playground.handle(req, res, () => {
      res.statusCode = 418
      res.end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closing.push(() => {
    playground.dispose()
    server.closeAllConnections()
    server.close()
  })
  // A TCP server always has an AddressInfo once it listens.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stateOf = async (response: Response): Promise<NetworkState> => {
    if (response.status !== 200) throw new Error(`/__network answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as NetworkState
  }
  return {
    origin,
    ask: (posting) => post(`${origin}/cap/v1/assist`, posting),
    network: async (command) =>
      stateOf(
        await fetch(`${origin}/__network`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(command),
        }),
      ),
    state: async (requestId) =>
      stateOf(await fetch(`${origin}/__network${requestId === undefined ? '' : `?requestId=${requestId}`}`)),
  }
}
