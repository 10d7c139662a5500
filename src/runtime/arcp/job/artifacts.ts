import { noop } from '../../../base/noop.ts'
import type { Clock } from '../../../base/ports/clock.ts'
import type { DigestBytes } from '../../../base/digest.ts'
import type { ArcpArtifactRef } from '../../../protocols/arcp/schema/artifacts.ts'
import { ArcpFault } from '../message/arcp-fault.ts'
import type { RuntimeSession } from '../session/runtime-session.ts'
import type { Scope } from '../session/scope.ts'
import { isShared } from '../session/scope.ts'

/** What is stored. */
export interface NewArtifact {
  readonly content: string | Uint8Array
  readonly mediaType: string
  readonly ttlSeconds?: number | undefined
  /** Digest that the content has to have, in hexadecimal. Absent: any. */
  readonly sha256?: string | undefined
}

/** An artifact as it is kept. */
export interface KeptArtifact {
  readonly ref: ArcpArtifactRef
  readonly content: Uint8Array
}

/** The artifacts of a runtime, each until its time is over or it is released. */
export interface Artifacts {
  /** @throws ArcpFault INVALID_ARGUMENT when the digest is another one, RESOURCE_EXHAUSTED when there is no space */
  put(session: RuntimeSession, artifact: NewArtifact): Promise<ArcpArtifactRef>
  /** @throws ArcpFault NOT_FOUND, also for the artifacts of others */
  get(id: string, scope: Scope): KeptArtifact
  /** @throws ArcpFault NOT_FOUND, also for the artifacts of others */
  release(id: string, scope: Scope): void
  /** Drops all. */
  close(): void
}

export interface ArtifactsOptions {
  readonly clock: Clock
  readonly digest: DigestBytes
  id(): string
  /** How long one is kept that does not say, in seconds. */
  readonly defaultSeconds: number
  /** How long one is kept at most, in seconds. */
  readonly maxSeconds: number
  /** Bytes that all may have together. */
  readonly maxBytes: number
}

interface Own extends KeptArtifact {
  readonly scope: Scope
  readonly expiresAt: number
}

export function createArtifacts(options: ArtifactsOptions): Artifacts {
  const { clock, digest, id, defaultSeconds, maxSeconds, maxBytes } = options
  const all = new Map<string, Own>()
  let bytes = 0
  let cancel = noop

  function drop(artifactId: string, { content }: KeptArtifact): void {
    all.delete(artifactId)
    bytes -= content.byteLength
  }

  function sweep(): void {
    cancel()
    cancel = noop
    const now = clock.date()
    let next = Infinity
    for (const [artifactId, artifact] of all) {
      if (artifact.expiresAt <= now) drop(artifactId, artifact)
      else next = Math.min(next, artifact.expiresAt)
    }
    if (next !== Infinity) cancel = clock.after(next - now, sweep)
  }

  function find(artifactId: string, scope: Scope): Own {
    const artifact = all.get(artifactId)
    if (artifact === undefined || !isShared(artifact.scope, scope))
      throw new ArcpFault('NOT_FOUND', 'There is no such artifact, or its time is over.')
    return artifact
  }

  return {
    async put(session, { content, mediaType, ttlSeconds = defaultSeconds, sha256 }) {
      const kept = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
      const found = await digest(kept)
      if (sha256 !== undefined && sha256.toLowerCase() !== found)
        throw new ArcpFault('INVALID_ARGUMENT', 'The content does not have the digest that it is said to have.')
      if (bytes + kept.byteLength > maxBytes)
        throw new ArcpFault('RESOURCE_EXHAUSTED', 'There is no space for more artifacts.', { retryable: true })
      const artifactId = id()
      const expiresAt = clock.date() + Math.max(0, Math.min(ttlSeconds, maxSeconds)) * 1000
      const ref: ArcpArtifactRef = {
        artifact_id: artifactId,
        uri: `arcp://session/${session.id}/artifact/${artifactId}`,
        media_type: mediaType,
        size: kept.byteLength,
        sha256: found,
        expires_at: new Date(expiresAt).toISOString(),
      }
      all.set(artifactId, { ref, content: kept, scope: session.scope, expiresAt })
      bytes += kept.byteLength
      sweep()
      return ref
    },
    get: find,
    release: (artifactId, scope) => drop(artifactId, find(artifactId, scope)),
    close() {
      cancel()
      all.clear()
      bytes = 0
    },
  }
}
