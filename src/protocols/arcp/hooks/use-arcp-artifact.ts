'use client'

import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { ArcpArtifact } from '../fold/arcp-state.ts'
import { type ArcpHookOptions, useArcpClient } from './arcp-provider.tsx'
import { useArcpView } from './use-arcp-state.ts'
import { isAgentError, type AgentError } from '../../../base/agent-error.ts'
import type { ArcpClient } from '../client/arcp-client.ts'
import { toArcpError } from '../errors.ts'

export interface ArcpArtifactHookOptions extends ArcpHookOptions {
  /** Fetches the content when it is shown first. @default false */
  readonly load?: boolean | undefined
}

/** What {@link useArcpArtifact} returns. */
export interface ArcpArtifactResult extends ArtifactSnapshot {
  /** The runtime's description of it. Undefined: none in this session. */
  readonly artifact: ArcpArtifact | undefined
  /** Fetches the content, again when it is there: what is there stays until another one comes. Never rejects. */
  load(): Promise<void>
  /** Releases it at the runtime: nobody can fetch it any more. Never rejects. */
  release(): Promise<void>
}

/**
 * An artifact of the session, and its content once it is fetched: once for all components that show it.
 *
 * @example
 * ```tsx
 * import { useArcpArtifact } from 'capstan/react'
 *
 * export function Report({ id }: { id: string }) {
 *   const { content, status, load } = useArcpArtifact(id)
 *   return content ? <pre>{content.text}</pre> : <button onClick={() => void load()}>{status}</button>
 * }
 * ```
 */
export function useArcpArtifact(artifactId: string, options: ArcpArtifactHookOptions = {}): ArcpArtifactResult {
  const client = useArcpClient(options.client, 'useArcpArtifact')
  const cached = cachedArtifact(client, artifactId)
  const artifact = useArcpView(client, ({ state }) => state.artifacts.get(artifactId))
  const snapshot = useSyncExternalStore(cached.subscribe, cached.getSnapshot, notLoaded)
  const isWanted = options.load === true
  useEffect(() => {
    if (isWanted && cached.getSnapshot().status === 'idle') void cached.load()
  }, [cached, isWanted])
  return useMemo(
    () => ({ ...snapshot, artifact, load: cached.load, release: cached.release }),
    [snapshot, artifact, cached],
  )
}

/** On a server, and in the first render of a page that was rendered there. */
function notLoaded(): ArtifactSnapshot {
  return NOT_FETCHED
}

/** Content of an artifact. */
interface ArcpArtifactContent {
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** As text, of a type that is text. Undefined: it is none. */
  readonly text: string | undefined
}

/** What is known of the content of an artifact. `expired`: the runtime has it no more. */
interface ArtifactSnapshot {
  readonly status: 'idle' | 'loading' | 'ready' | 'expired' | 'error'
  readonly content: ArcpArtifactContent | undefined
  readonly error: AgentError | undefined
}

/** The content of one artifact, shared by all components that show it. */
interface CachedArtifact {
  getSnapshot(): ArtifactSnapshot
  subscribe(listener: () => void): () => void
  load(): Promise<void>
  release(): Promise<void>
}

const NOT_FETCHED: ArtifactSnapshot = { status: 'idle', content: undefined, error: undefined }

const caches = new WeakMap<ArcpClient, Map<string, CachedArtifact>>()

/** Artifacts whose content is kept. */
const KEPT = 50

/** The content of an artifact as a client fetches it, once for the page. */
function cachedArtifact(client: ArcpClient, artifactId: string): CachedArtifact {
  const artifacts = caches.get(client) ?? new Map<string, CachedArtifact>()
  caches.set(client, artifacts)
  const artifact = artifacts.get(artifactId) ?? createCachedArtifact(client, artifactId)
  artifacts.set(artifactId, artifact)
  const [oldest] = artifacts.keys()
  if (artifacts.size > KEPT && oldest !== undefined) artifacts.delete(oldest)
  return artifact
}

function createCachedArtifact(client: ArcpClient, artifactId: string): CachedArtifact {
  let snapshot = NOT_FETCHED
  let loading: Promise<void> | undefined
  const listeners = new Set<() => void>()

  function publish(next: ArtifactSnapshot): void {
    snapshot = next
    for (const listener of [...listeners]) listener()
  }

  async function fetchContent(): Promise<void> {
    publish({ ...snapshot, status: 'loading', error: undefined })
    try {
      const { mediaType, content: bytes } = await client.fetchArtifact(artifactId)
      const text = isText(mediaType) ? new TextDecoder().decode(bytes) : undefined
      publish({ status: 'ready', content: { mediaType, bytes, text }, error: undefined })
    } catch (cause) {
      fail(cause)
    } finally {
      loading = undefined
    }
  }

  function fail(cause: unknown): void {
    const error = toArcpError(cause)
    const isGone = isAgentError(cause) && cause.code === 'not_found'
    publish({ ...snapshot, status: isGone ? 'expired' : 'error', error })
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    load: () => (loading ??= fetchContent()),
    async release() {
      try {
        await client.releaseArtifact(artifactId)
        publish({ ...NOT_FETCHED, status: 'expired' })
      } catch (cause) {
        fail(cause)
      }
    },
  }
}

function isText(mediaType: string): boolean {
  return /^text\/|^application\/(?:.+\+)?(?:json|xml)\b/i.test(mediaType)
}
