'use client'
import type { ReactNode } from 'react'
import { createContext, useContext, useMemo, useState } from 'react'
import { isInlineMedia, safeMedia } from '../base/safe-url.ts'

export interface MediaPolicyProviderProps {
  /**
   * Hosts whose media load without the reader being asked, over https only: `cdn.example` names one host,
   * `*.cdn.example` every host below it; a port that is not 443 is part of the name. Name no host that redirects to
   * in all contexts. Keep the array stable.
   *
   * @default those of a provider around
   */
  readonly allowedHosts?: readonly string[] | undefined
  /** The parts the policy is for. Absent: none. */
  readonly children?: ReactNode
}

interface MediaPolicy {
  readonly allowedHosts?: readonly string[] | undefined
  /** Addresses the reader asked for: what was asked for once is not asked for again, wherever it is shown next. */
  readonly asked?: Set<string>
}

const MediaPolicyContext = createContext<MediaPolicy>({})

/**
 * Renders its children, says for all parts inside which remote media load at once, and remembers which ones the reader
 * asked for.
 *
 * @example
 * ```tsx
 * import { MediaPolicyProvider, MessageList } from 'capstan/components'
 *
 * const HOSTS = ['pictures.example', '*.cdn.example']
 * export const Transcript = () => (
 *   <MediaPolicyProvider allowedHosts={HOSTS}>
 *     <MessageList />
 *   </MediaPolicyProvider>
 * )
 * ```
 */
export function MediaPolicyProvider({ allowedHosts, children }: MediaPolicyProviderProps): ReactNode {
  const around = useContext(MediaPolicyContext)
  const [asked] = useState(() => around.asked ?? new Set<string>())
  const hosts = allowedHosts ?? around.allowedHosts
  const policy = useMemo(() => ({ allowedHosts: hosts, asked }), [hosts, asked])
  return <MediaPolicyContext.Provider value={policy}>{children}</MediaPolicyContext.Provider>
}

/**
 * Whether media at an address may be put on the page, and the way to say that the reader asked for it. True at once for
 * `data:` and `blob:` media, which ask no server, and for allowed hosts: the given ones, else those of the provider
 * around. What is not an address of media is never allowed. Decide by it before an element with the address is rendered:
 * React asks for what it renders.
 *
 * @example
 * ```tsx
 * import { useMediaConsent } from 'capstan/components'
 *
 * export function Picture({ src, alt }: { src: string; alt: string }) {
 *   const [allowed, ask] = useMediaConsent(src)
 *   return allowed ? <img src={src} alt={alt} /> : <button onClick={ask}>Load {alt}</button>
 * }
 * ```
 */
export function useMediaConsent(
  address: string,
  allowedHosts?: readonly string[],
): readonly [allowed: boolean, ask: () => void] {
  const policy = useContext(MediaPolicyContext)
  const [own, setOwn] = useState<string>()
  const url = safeMedia(address)
  const allowed = url
    ? own === address || policy.asked?.has(address) === true || isAllowed(url, allowedHosts ?? policy.allowedHosts)
    : isInlineMedia(address)
  const ask = (): void => {
    policy.asked?.add(address)
    setOwn(address)
  }
  return [allowed, ask]
}

function isAllowed({ protocol, host }: URL, hosts: readonly string[] = []): boolean {
  const allows = (name: string): boolean => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name)
  return protocol === 'https:' && hosts.some((name) => allows(name.toLowerCase()))
}
