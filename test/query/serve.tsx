import type { DehydratedState } from '@tanstack/react-query'
import { dehydrate, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { cleanup } from '@testing-library/react'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import type { ServiceRequestInput } from '../../src/protocols/cap/schema/request.ts'
import type { Agent } from '../../src/server/run/agent.ts'
import type { AgentHandlerOptions } from '../../src/server/handler/agent-handler.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { REQUEST_ID, requestBody } from '../server/peer.ts'

// React and React Query report their troubles on the console: none is acceptable here.
const complaint = vi.spyOn(console, 'error')
beforeEach(() => {
  complaint.mockClear()
})
afterEach(() => {
  cleanup()
  expect(complaint).not.toHaveBeenCalled()
})

export const OTHER_ID = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b11'

export const requestOf = (requestId = REQUEST_ID): ServiceRequestInput =>
  requestBody({ requestId }) as unknown as ServiceRequestInput // the builder writes this shape

/** An agent and a client of it, with what the client asked. */
export function serveAgent(agent: Agent, options: Partial<AgentHandlerOptions> = {}) {
  const asked: { readonly url: string; readonly signal: AbortSignal | null | undefined }[] = []
  let runs = 0
  const handler = createAgentHandler({
    ...options,
    agent: (request, run) => {
      runs += 1
      return agent(request, run)
    },
  })
  const client = new CapClient({
    baseUrl: 'https://agent.example',
    maxRetries: 2,
    environment: { random: () => 0 },
    fetch: (url, init) => {
      asked.push({ url, signal: init.signal })
      return handler(new Request(url, init))
    },
  })
  return { client, asked, runs: () => runs }
}

/** What an app has around its components. React Query's own attempts are at its default, as in an app. */
export function createApp(client: CapClient, queries = new QueryClient()) {
  const App = ({ children }: { readonly children: ReactNode }): ReactNode => (
    <QueryClientProvider client={queries}>
      <AgentProvider client={client}>{children}</AgentProvider>
    </QueryClientProvider>
  )
  return { App, queries }
}

/** What crosses from a server to a page. */
export function cross(server: QueryClient): DehydratedState {
  // JSON gives back what was put in.
  return JSON.parse(JSON.stringify(dehydrate(server))) as DehydratedState
}

/** Something an agent waits for until the test lets it continue. */
export function createGate() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
