import { ArcpClient, toolClient, webSocketTransport } from 'capstan/arcp'
import { createThreadStore } from 'capstan/storage'
import type { Environment } from 'capstan'
import { ARCP_ADDRESS, ARCP_TOKEN } from '../../server/arcp/arcp-scenarios.ts'

/** The clients of the page: one session that does the work, and one that watches. */
export interface ArcpClients {
  readonly owner: ArcpClient
  readonly observer: ArcpClient
  /** Chats with a tool of the owner's session. */
  readonly chats: Readonly<Record<'plan' | 'write', ReturnType<typeof toolClient>>>
  /** Keeps those chats beyond the page. */
  readonly store: ReturnType<typeof createThreadStore>
}

let made: ArcpClients | undefined

/** Made once for the page. */
export function arcpClients(environment: Environment): ArcpClients {
  made ??= createArcpClients(environment)
  return made
}

function createArcpClients(environment: Environment): ArcpClients {
  const url = new URL(ARCP_ADDRESS, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.hash = ''
  const client = (): ArcpClient =>
    new ArcpClient({
      transport: webSocketTransport({ url: url.href }),
      auth: { scheme: 'bearer', token: ARCP_TOKEN },
      client: { kind: 'playground', version: '1' },
      environment,
    })
  const owner = client()
  const chatWith = (tool: string): ReturnType<typeof toolClient> =>
    toolClient(owner, { tool, toArguments: ({ text }) => ({ text }) })
  return {
    owner,
    observer: client(),
    chats: { plan: chatWith('plan'), write: chatWith('write') },
    store: createThreadStore({ name: 'capstan-playground-arcp' }),
  }
}
