/** How the playground's client is set up, and what its chat may load. */
export interface Settings {
  readonly baseUrl: string
  /** Held in memory only; gone with the page. */
  readonly apiKey: string
  readonly timeoutMs: number
  readonly maxRetries: number
  /** Hosts whose pictures load without being asked for. */
  readonly mediaHosts: readonly string[]
  /** Answers are asked for in markdown and shown as such. */
  readonly markdown: boolean
}

/** Where the development server keeps its own agent. */
const EMBEDDED_BASE = '/cap'

export const defaultSettings: Settings = {
  baseUrl: EMBEDDED_BASE,
  apiKey: '',
  timeoutMs: 10_000,
  maxRetries: 3,
  mediaHosts: [],
  markdown: true,
}

/** Whether the agent at this address is the embedded one, whose connection the server can break. */
export function isEmbedded({ baseUrl }: Settings): boolean {
  return baseUrl.replace(/\/+$/, '') === EMBEDDED_BASE
}

/** The base of an address as people paste it: with or without the path of the call. */
export function toBaseUrl(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, '')
  const base = trimmed.replace(/\/assist$/, '')
  if (base === trimmed) return trimmed
  // `/v1/assist` is what a bare host gets anyway, and its `/health` is at the root.
  const bare = base.replace(/\/v1$/, '')
  return URL.canParse(bare) && new URL(bare).pathname === '/' ? bare : base
}

const HOST = /^(?:\*\.)?(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d{1,5})?$/i

/** Reads hosts apart by spaces or commas. */
export function readHosts(text: string): { readonly hosts: readonly string[] } | { readonly problem: string } {
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '')
  const wrong = hosts.find((host) => !HOST.test(host))
  return wrong === undefined
    ? { hosts }
    : {
        problem: `“${wrong.slice(0, 60)}” is not a host. Write it without scheme and path, such as cdn.example or *.cdn.example.`,
      }
}
