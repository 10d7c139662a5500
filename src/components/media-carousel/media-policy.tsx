'use client'
import type { ReactNode } from 'react'
import { createContext, useContext, useMemo, useState } from 'react'
import { isInlineMedia, safeMedia } from '../safe-url.ts'

interface MediaPolicy {
  readonly allowedHosts: readonly string[]
  /** Addresses the reader asked for: what was asked for once is not asked for again. */
  readonly asked: ReadonlySet<string>
  readonly ask: (address: string) => void
}

const MediaPolicyContext = createContext<MediaPolicy | undefined>(undefined)

export interface MediaPolicyProviderProps {
  /**
   * Hosts whose media load without the reader being asked, over https only: `cdn.example` names one host, `*.cdn.example`
   * every host below it; a port that is not 443 is part of the name. Name no host that redirects to anywhere.
   * Default: those of the provider around, or none. Keep the array stable.
   */
  readonly allowedHosts?: readonly string[] | undefined
  readonly children?: ReactNode
}

const NONE: MediaPolicy['allowedHosts'] = []
const NOTHING: MediaPolicy['asked'] = new Set()

/** Says for all parts inside which remote media may load at once, and remembers which ones the reader asked for. */
export function MediaPolicyProvider({ allowedHosts, children }: MediaPolicyProviderProps): ReactNode {
  const around = useContext(MediaPolicyContext)
  const [asked, setAsked] = useState(NOTHING)
  const hosts = allowedHosts ?? around?.allowedHosts ?? NONE
  const policy = useMemo(
    () => ({
      allowedHosts: hosts,
      asked: around?.asked ?? asked,
      ask: around?.ask ?? ((address: string) => setAsked((before) => new Set(before).add(address))),
    }),
    [hosts, around, asked],
  )
  return <MediaPolicyContext.Provider value={policy}>{children}</MediaPolicyContext.Provider>
}

/**
 * Whether media at an address may be put on the page, and the way to say that the reader asked for it. True at once for
 * allowed hosts and for `data:` and `blob:` media; false for what is no address, whatever the reader does. Decide by it
 * before an element with the address is rendered: React asks for what it renders.
 */
export function useMediaConsent(address: string): readonly [allowed: boolean, ask: () => void] {
  const policy = useContext(MediaPolicyContext)
  const [own, setOwn] = useState<string>()
  const url = safeMedia(address)
  const allowed = url
    ? own === address || policy?.asked.has(address) === true || isAllowedHost(url, policy?.allowedHosts ?? NONE)
    : isInlineMedia(address)
  return [
    allowed,
    () => {
      setOwn(address)
      policy?.ask(address)
    },
  ]
}

/** An https address whose host is on the list. */
export function isAllowedHost({ protocol, host }: URL, allowedHosts: readonly string[]): boolean {
  return (
    protocol === 'https:' &&
    allowedHosts.some((allowed) => (allowed.startsWith('*.') ? host.endsWith(allowed.slice(1).toLowerCase()) : host === allowed.toLowerCase()))
  )
}
