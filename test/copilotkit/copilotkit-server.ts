import type { RequestListener } from 'node:http'
import { serve } from '../server/peer.ts'

/** What the tests use of the packages of CopilotKit. */
interface CopilotKit {
  readonly CopilotRuntime: new (options: object) => object
  readonly InMemoryAgentRunner: new () => object
  readonly HttpAgent: new (options: object) => object
  createCopilotNodeListener(options: object): RequestListener
}

/** CopilotKit's runtime over HTTP, in front of an agent. */
export interface CopilotKitServer {
  /** Where runs are posted. */
  readonly url: string
  stopUrl(threadId: string): string
}

/** @param agent address of an agent of AG-UI */
export async function serveCopilotKit(agent: string): Promise<CopilotKitServer> {
  process.env['COPILOTKIT_TELEMETRY_DISABLED'] = 'true'
  process.env['DO_NOT_TRACK'] = '1'
  // Their types are there only where the packages of test/copilotkit are installed.
  const packages: unknown[] = await Promise.all(
    ['@copilotkit/runtime/v2', '@copilotkit/runtime/v2/node', '@ag-ui/client'].map(
      (name) => import(/* @vite-ignore */ name),
    ),
  )
  const { CopilotRuntime, InMemoryAgentRunner, HttpAgent, createCopilotNodeListener } = Object.assign(
    {},
    ...packages,
  ) as CopilotKit
  const runtime = new CopilotRuntime({
    agents: { default: new HttpAgent({ url: agent }) },
    runner: new InMemoryAgentRunner(),
  })
  const origin = await serve(createCopilotNodeListener({ runtime, basePath: '/api' }))
  const base = `${origin}/api/agent/default`
  return { url: `${base}/run`, stopUrl: (threadId) => `${base}/stop/${threadId}` }
}
