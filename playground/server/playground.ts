import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../src/base/ports/clock.ts'
import { systemClock } from '../../src/base/ports/clock.ts'
import { isAgentError } from '../../src/base/agent-error.ts'
import { canonicalUuid } from '../../src/protocols/cap/values/scalars.ts'
import type { Agent } from '../../src/server.ts'
import { createAgentHandler, memoryEventLog } from '../../src/server.ts'
import { createDocsAgent } from './docs/docs-agent.ts'
import { createDocsIndex, type DocsIndex } from './docs/docs-index.ts'
import type { DocsPage } from './docs/docs-page.ts'
import { docsResponse } from './docs/docs-site.ts'
import { createFileStore } from './files/file-store.ts'
import { createFilesAgent } from './files/files-agent.ts'
import { FILES_ADDRESS, filesResponse } from './files/files-endpoint.ts'
import { createOutputFolder } from './files/output-folder.ts'
import { createSummaryAgent } from './files/summary-agent.ts'
import { controlPath, createControlFaults, withoutControl } from './network/control-faults.ts'
import { createNetworkControl, type NetworkCall } from './network/network-control.ts'
import { networkResponse } from './network/network-endpoint.ts'
import { createNetworkRecords } from './network/network-records.ts'
import { faultScripts } from './network/fault-scripts.ts'
import { sendResponse, toRequest } from './node-fetch.ts'
import { naturalPace, type Pace } from './pace.ts'
import { readBody } from './read-body.ts'
import { refusalFor } from './scenarios/refusals.ts'
import { mediaResponse } from './scenarios/river-media.ts'
import { RIVER_PAGE } from './scenarios/river-prose.ts'
import { createScenarioAgents } from './scenarios/scenario-agents.ts'
import { isScenarioId, type ScenarioId } from './scenarios/scenario-list.ts'
import { signInResponse } from './scenarios/sign-in-page.ts'
import { createA2AAgents } from './a2a/a2a-agents.ts'
import type { A2AResponder } from './a2a/a2a-responder.ts'
import type { ArcpEndpoint } from './arcp/arcp-endpoint.ts'
import { ARCP_ADDRESS, ARCP_CONTROL } from './arcp/arcp-scenarios.ts'

export interface PlaygroundOptions {
  readonly pages: readonly DocsPage[]
  readonly clock?: Clock | undefined
  readonly pace?: Pace | undefined
  /** Where the docs agent writes when it may. @default a new folder for temporary files */
  readonly outputFolder?: string | undefined
  onError?(error: unknown): void
}

/** Everything the playground's page talks to, as one node middleware. */
export interface Playground {
  /** Answers /cap/, /a2a, /docs/, /files, /scenario-media/, /scenario-sign-in and /__network; leaves all else to `next`. */
  handle(req: IncomingMessage, res: ServerResponse, next: () => void): void
  /** Takes the WebSockets of /arcp; leaves all others to whoever listens next to it. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Reads the pages again, for answers and for people. */
  setPages(pages: readonly DocsPage[]): void
  /** Drops every connection and stops every run. */
  dispose(): void
}

const MOST_BODY_BYTES = 1_000_000
const AGENT_ID = '5d8f3a52-3a0e-4b1f-9a4c-0c6a6f0f7c11'

export function createPlayground({
  pages,
  clock = systemClock,
  pace = naturalPace,
  outputFolder,
  onError,
}: PlaygroundOptions): Playground {
  const stopping = new AbortController()
  const records = createNetworkRecords(clock)
  const log = records.observe(memoryEventLog({ clock }))
  const network = createNetworkControl({ clock, random: pace.random, log, records })
  let shown: readonly DocsPage[] = []
  let index: DocsIndex = createDocsIndex([])

  const setPages = (next: readonly DocsPage[]): void => {
    index = createDocsIndex(next)
    // Shown, because the scenarios cite it, but not part of what the docs agent knows.
    shown = [...next, { path: 'docs/samples/rivers.md', markdown: RIVER_PAGE }]
  }
  setPages(pages)

  const files = createFileStore()
  const docs = createSummaryAgent({
    index: () => index,
    folder: createOutputFolder(outputFolder),
    pace,
    otherwise: createDocsAgent({ index: () => index, pace }),
  })
  const docsAgent = createFilesAgent({ files, pace, otherwise: docs })
  const scenarioAgents = createScenarioAgents(pace, docsAgent)
  const agent: Agent = (request, run) => {
    records.agentStarted(run.requestId)
    const { scenario } = request.payload.metadata
    return (isScenarioId(scenario) ? scenarioAgents[scenario] : docsAgent)(request, run)
  }
  const options = {
    agent,
    log,
    clock,
    maxBodyBytes: MOST_BODY_BYTES,
    signal: stopping.signal,
    health: { agentId: AGENT_ID, version: '0.1.0' },
    // Logs are lost here on purpose, and the server is stopped all day long.
    onError: (error: unknown) => {
      if (!stopping.signal.aborted && !(isAgentError(error) && error.code === 'log_expired')) onError?.(error)
    },
  }
  const handler = createAgentHandler(options)
  const restarting = createAgentHandler({ ...options, onExpired: 'restart' })

  const controlFaults = createControlFaults(clock)

  /** Told when somebody has been at the page to sign in. */
  const signIns = new Set<() => void>()
  const signedIn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signIns.add(resolve)
      signal.addEventListener('abort', () => {
        signIns.delete(resolve)
        reject(new Error('The task was cancelled.', { cause: signal.reason }))
      })
    })
  let loadingA2A: Promise<A2AResponder> | undefined
  /** The server of the SDK is loaded when somebody asks for it. */
  const loadA2A = async (): Promise<A2AResponder> => {
    const { createA2AResponder } = await import('./a2a/a2a-responder.ts')
    return createA2AResponder({
      agents: createA2AAgents(pace, docsAgent),
      files,
      clock,
      uuid: () => crypto.randomUUID(),
      network,
      mostBodyBytes: MOST_BODY_BYTES,
      signedIn,
      onRun: records.agentStarted,
    })
  }

  let loadingArcp: Promise<ArcpEndpoint> | undefined
  /** So is the runtime. */
  const loadArcp = async (): Promise<ArcpEndpoint> => {
    const { createArcpEndpoint } = await import('./arcp/arcp-endpoint.ts')
    return createArcpEndpoint(pace, clock)
  }
  const cutArcp = async (req: IncomingMessage): Promise<Response> => {
    const endpoint = await (loadingArcp ??= loadArcp())
    const refuseMs = Number(new URL(req.url ?? '/', 'http://localhost').searchParams.get('refuseMs') ?? 0)
    if (req.method === 'POST') endpoint.cut(Number.isFinite(refuseMs) ? refuseMs : 0)
    return Response.json({ sockets: endpoint.sockets })
  }

  const assist = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = req.method === 'POST' ? await readBody(req, MOST_BODY_BYTES) : undefined
    const { requestId, scenario } = lookInto(body)
    const http = toRequest(req, res, body)
    if (requestId === undefined) {
      await sendResponse(await handler(http), res)
      return
    }
    const call: NetworkCall = { requestId, scenario, script: scenario && faultScripts[scenario] }
    const chosen = scenario === 'new-stream-id' ? restarting : handler
    const answer = async (): Promise<Response> => refusalFor(scenario) ?? chosen(http)
    await network.carry(req, res, call, async () =>
      scenario === 'stop-left' ? withoutControl(await answer()) : answer(),
    )
  }

  /** Commands for a run, and the health: their bodies are the handler's alone. */
  const otherCall = async (req: IncomingMessage, res: ServerResponse, pathname: string): Promise<void> => {
    const http = toRequest(req, res)
    const called = controlPath(pathname)
    const { scenario } = called === undefined ? {} : (records.list(called.requestId)[0] ?? {})
    const response = await (called === undefined
      ? handler(http)
      : controlFaults.carry({ ...called, scenario: isScenarioId(scenario) ? scenario : undefined }, () =>
          handler(http),
        ))
    if (response === undefined) res.destroy()
    else await sendResponse(response, res)
  }

  const respond = async (req: IncomingMessage, res: ServerResponse, pathname: string): Promise<boolean> => {
    if (pathname.startsWith('/cap/'))
      await (pathname.endsWith('/assist') ? assist(req, res) : otherCall(req, res, pathname))
    else if (pathname === '/a2a' || pathname.startsWith('/a2a/'))
      await (await (loadingA2A ??= loadA2A())).respond(req, res, pathname)
    else if (pathname === ARCP_CONTROL) await sendResponse(await cutArcp(req), res)
    else if (pathname === '/__network') await sendResponse(await networkResponse(toRequest(req, res), network), res)
    else if (pathname === FILES_ADDRESS || pathname.startsWith(`${FILES_ADDRESS}/`))
      await sendResponse(await filesResponse(toRequest(req, res), files), res)
    else if (pathname === '/docs' || pathname.startsWith('/docs/'))
      await sendResponse(docsResponse(pathname, shown), res)
    else {
      const signIn = signInResponse(pathname)
      const media = mediaResponse(pathname) ?? signIn
      if (!media) return false
      await sendResponse(media, res)
      if (signIn) for (const tell of signIns) tell()
      if (signIn) signIns.clear()
    }
    return true
  }

  const answerOrPass = async (req: IncomingMessage, res: ServerResponse, next: () => void): Promise<void> => {
    try {
      const [pathname = '/'] = (req.url ?? '/').split(/[?#]/, 1)
      if (!(await respond(req, res, pathname))) next()
    } catch (error) {
      // A client that left half-way is none of our errors.
      if (!res.destroyed) onError?.(error)
      res.destroy()
    }
  }

  return {
    setPages,
    handle(req, res, next) {
      void answerOrPass(req, res, next)
    },
    upgrade(req, socket, head) {
      if ((req.url ?? '/').split('?', 1)[0] !== ARCP_ADDRESS) return
      // Until the runtime is loaded nobody listens to it.
      socket.on('error', () => socket.destroy())
      void (loadingArcp ??= loadArcp()).then((endpoint) => endpoint.upgrade(req, socket, head))
    },
    dispose() {
      void loadingArcp?.then((endpoint) => endpoint.dispose())
      stopping.abort(new Error('The playground stopped.'))
      network.dispose()
    },
  }
}

/** What the network needs to know of a request that the handler will judge later. Nothing of a body that makes no sense. */
function lookInto(body: Uint8Array | undefined): {
  readonly requestId?: string
  readonly scenario: ScenarioId | undefined
} {
  try {
    // JSON.parse gives `any`; every step below doubts it.
    const value = JSON.parse(new TextDecoder().decode(body)) as {
      request_id?: unknown
      payload?: { metadata?: { scenario?: unknown } | null } | null
    } | null
    const requestId = canonicalUuid(value?.request_id)
    const scenario = value?.payload?.metadata?.scenario
    return { ...(requestId !== undefined && { requestId }), scenario: isScenarioId(scenario) ? scenario : undefined }
  } catch {
    return { scenario: undefined }
  }
}
