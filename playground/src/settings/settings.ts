/** How the playground's client is set up. */
export interface Settings {
  readonly baseUrl: string
  /** Held in memory only; gone with the page. */
  readonly apiKey: string
  readonly timeoutMs: number
  readonly maxRetries: number
}

/** Where the development server keeps its own agent. */
export const EMBEDDED_BASE = '/cap'

export const defaultSettings: Settings = { baseUrl: EMBEDDED_BASE, apiKey: '', timeoutMs: 10_000, maxRetries: 3 }

/** Whether the agent at this address is the embedded one, whose line the server can break. */
export function isEmbedded({ baseUrl }: Settings): boolean {
  return baseUrl.replace(/\/+$/, '') === EMBEDDED_BASE
}

/** The base of an address as people paste it: with or without the path of the call. */
export function toBaseUrl(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, '')
  const base = trimmed.replace(/\/assist$/, '')
  if (base === trimmed) return trimmed
  // `/v1/assist` is what a bare host gets anyway, and its `/health` stands at the root.
  const bare = base.replace(/\/v1$/, '')
  return URL.canParse(bare) && new URL(bare).pathname === '/' ? bare : base
}
