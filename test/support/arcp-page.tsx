import { act } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { ArcpClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import { ArcpProvider } from '../../src/protocols/arcp/hooks/arcp-provider.tsx'
import type { MemoryRuntime, RuntimeJob, RuntimeOptions } from './arcp-memory-runtime.ts'
import { createMemoryRuntime } from './arcp-memory-runtime.ts'
import { settle } from './manual-clock.ts'
import type { ManualEnvironment } from './manual-environment.ts'
import { createManualEnvironment } from './manual-environment.ts'
import { createRandomUuid } from './random-uuid.ts'

/** A page with a client of ARCP, over a runtime in memory. */
export interface ArcpPage {
  readonly environment: ManualEnvironment
  readonly runtime: MemoryRuntime
  readonly client: ArcpClient
  /** Renders children with the client, in StrictMode. */
  wrapper(props: { readonly children: ReactNode }): ReactNode
  /** Lets all that is under way come to rest, with everything painted. */
  rest(ms?: number): Promise<void>
  /** Invokes a tool as the app does, not a hook. */
  begin(tool?: string): Promise<RuntimeJob>
  job(id?: string): RuntimeJob
}

export function createArcpPage(options: RuntimeOptions = {}): ArcpPage {
  const environment = createManualEnvironment()
  const runtime = createMemoryRuntime(options)
  const client = new ArcpClient({
    transport: runtime.transport,
    environment: { ...environment, uuid: createRandomUuid() },
  })
  const job = (id = 'job_1'): RuntimeJob => {
    const found = runtime.jobs.get(id)
    if (found === undefined) throw new Error(`There is no ${id}.`)
    return found
  }
  const rest = (ms = 0): Promise<void> =>
    act(async () => {
      await environment.clock.advance(ms)
      for (let turn = 0; turn < 6; turn++) {
        await settle()
        environment.paint()
      }
    })
  return {
    environment,
    runtime,
    client,
    wrapper: ({ children }) => (
      <StrictMode>
        <ArcpProvider client={client}>{children}</ArcpProvider>
      </StrictMode>
    ),
    rest,
    async begin(tool = 'survey') {
      const before = runtime.jobs.size
      client.invoke(tool)
      await rest()
      return job(`job_${before + 1}`)
    },
    job,
  }
}
