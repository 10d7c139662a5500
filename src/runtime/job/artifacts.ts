import { noop } from '../../base/noop.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { DigestBytes } from '../../base/digest.ts'
import { type ArcpArtifactRef, artifactRefSchema } from '../../protocols/arcp/schema/payloads.ts'
import { ArcpFault } from '../session/arcp-fault.ts'
import { artifactEntry } from '../session/session-log.ts'
import type { RuntimeSession } from '../session/runtime-session.ts'
import { type Scope, isShared, ownerKey, readScope } from '../session/scope.ts'
import { createQuota } from '../session/quota.ts'
import { AgentError } from '../../base/agent-error.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { EventLog, LogReader, LogWriter } from '../../server/event-log/event-log.ts'

/** What is stored. */
export interface NewArtifact {
  readonly content: string | Uint8Array
  readonly mediaType: string
  readonly ttlSeconds?: number | undefined
  /** Digest that the content has to have, in hexadecimal. Absent: any. */
  readonly sha256?: string | undefined
}

/** The artifacts of a runtime, each until it expires or is released. */
export interface Artifacts {
  /**
   * @throws ArcpFault INVALID_ARGUMENT when the digest is another one, RESOURCE_EXHAUSTED when there is no space, UNAVAILABLE when the
   *   store does not keep it
   */
  put(session: RuntimeSession, artifact: NewArtifact): Promise<ArcpArtifactRef>
  /** @throws ArcpFault NOT_FOUND, also for the artifacts of others; UNAVAILABLE when the store cannot be read */
  get(id: string, scope: Scope): Promise<StoredArtifact>
  /** @throws ArcpFault as `get` */
  release(id: string, scope: Scope): Promise<void>
  /** Keeps the artifacts of a process before this one until they expire. Never rejects. */
  restore(ids: readonly string[]): void
  /** Ends all timers. The store keeps what it has for as long as it keeps ended logs. */
  close(): Promise<void>
}

export interface ArtifactsOptions {
  readonly clock: Clock
  readonly digest: DigestBytes
  readonly store: ArtifactStore
  id(): string
  /** How long one is kept that does not say, in seconds. */
  readonly defaultSeconds: number
  /** How long one is kept at most, in seconds. */
  readonly maxSeconds: number
  /** Bytes that all may have together. */
  readonly maxBytes: number
  /** Bytes that those of one principal may have together. */
  readonly maxOwnBytes: number
  report(error: unknown): void
}

interface Held {
  readonly bytes: number
  readonly owner: string
  readonly expiresAt: number
}

/** How long after a restart the store may take the process before for alive: longer than a lease in Redis. */
const LEASE_MS = 20_000

export function createArtifacts(options: ArtifactsOptions): Artifacts {
  const { clock, digest, store, id, defaultSeconds, maxSeconds, maxBytes, maxOwnBytes, report } = options
  const space = createQuota(maxOwnBytes)
  /** Those that this process keeps alive, by id. */
  const all = new Map<string, Held>()
  const timers = new Set<() => void>()
  let bytes = 0
  let isClosed = false
  let cancelSweep = noop

  function hold(artifactId: string, held: Held): void {
    if (all.has(artifactId) || isClosed) return
    all.set(artifactId, held)
    bytes += held.bytes
    space.take(held.owner, held.bytes)
    sweep()
  }

  function forget(artifactId: string): void {
    const held = all.get(artifactId)
    if (held === undefined) return
    bytes -= held.bytes
    space.release(held.owner, held.bytes)
    all.delete(artifactId)
  }

  function sweep(): void {
    cancelSweep()
    cancelSweep = noop
    const now = clock.date()
    let next = Infinity
    for (const [artifactId, { expiresAt }] of all) {
      if (expiresAt <= now) {
        forget(artifactId)
        store.drop(artifactId).catch(report)
      } else next = Math.min(next, expiresAt)
    }
    if (next !== Infinity) cancelSweep = clock.after(next - now, sweep)
  }

  /** An artifact of any owner; this process keeps it alive from now on, if no other one does. Undefined: there is none. */
  async function find(artifactId: string): Promise<{ artifact: StoredArtifact; isHeld: boolean } | undefined> {
    const found = await store.get(artifactId)
    if (found === undefined) return undefined
    const { artifact, isHeld } = found
    const { content, expiresAt, scope } = artifact
    if (isHeld) hold(artifactId, { bytes: content.byteLength, owner: ownerKey(scope), expiresAt })
    return expiresAt <= clock.date() ? undefined : found
  }

  async function get(artifactId: string, scope: Scope): Promise<StoredArtifact> {
    const found = await find(artifactId).catch(unavailable)
    if (found === undefined || !isShared(found.artifact.scope, scope))
      throw new ArcpFault('NOT_FOUND', 'There is no such artifact, or it has expired.')
    return found.artifact
  }

  function unavailable(cause: unknown): never {
    report(cause)
    throw new ArcpFault('UNAVAILABLE', 'The store of artifacts does not answer.', { retryable: true })
  }

  async function adopt(artifactId: string): Promise<void> {
    const found = await find(artifactId)
    if (found === undefined || found.isHeld || isClosed) return
    const cancel = clock.after(LEASE_MS, () => {
      timers.delete(cancel)
      find(artifactId).catch(report)
    })
    timers.add(cancel)
  }

  return {
    async put(session, { content, mediaType, ttlSeconds = defaultSeconds, sha256 }) {
      const kept = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
      const found = await digest(kept)
      if (sha256 !== undefined && sha256.toLowerCase() !== found)
        throw new ArcpFault('INVALID_ARGUMENT', 'The content does not have the digest that it is said to have.')
      const size = kept.byteLength
      const owner = ownerKey(session.scope)
      if (!space.fits(owner, size))
        throw new ArcpFault(
          'RESOURCE_EXHAUSTED',
          `Your artifacts would have more than ${maxOwnBytes} bytes, the most that one principal may have here. Release some, or wait until they expire.`,
          { retryable: true, details: { limit: maxOwnBytes } },
        )
      if (bytes + size > maxBytes)
        throw new ArcpFault('RESOURCE_EXHAUSTED', 'There is no space for more artifacts.', { retryable: true })
      const artifactId = id()
      const expiresAt = clock.date() + Math.max(0, Math.min(ttlSeconds, maxSeconds)) * 1000
      const ref: ArcpArtifactRef = {
        artifact_id: artifactId,
        uri: `arcp://session/${session.id}/artifact/${artifactId}`,
        media_type: mediaType,
        size,
        sha256: found,
        expires_at: new Date(expiresAt).toISOString(),
      }
      // Its bytes are taken before the store has it, so that two that are stored at once do not both take the last of them.
      bytes += size
      space.take(owner, size)
      try {
        await store.put({ ref, content: kept, scope: session.scope, expiresAt })
      } catch (cause) {
        return unavailable(cause)
      } finally {
        bytes -= size
        space.release(owner, size)
      }
      hold(artifactId, { bytes: size, owner, expiresAt })
      if (store.isDurable) session.note(artifactEntry(artifactId))
      return ref
    },
    get,
    async release(artifactId, scope) {
      await get(artifactId, scope)
      forget(artifactId)
      await store.drop(artifactId).catch(unavailable)
    },
    restore(ids) {
      for (const artifactId of ids) adopt(artifactId).catch(report)
    },
    async close() {
      isClosed = true
      cancelSweep()
      for (const cancel of timers) cancel()
      all.clear()
      bytes = 0
      await store.close().catch(report)
    },
  }
}

/** An artifact with its content and its owner. */
interface StoredArtifact {
  readonly ref: ArcpArtifactRef
  readonly content: Uint8Array
  readonly scope: Scope
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Where artifacts are kept. Methods reject with the errors of the log. */
interface ArtifactStore {
  /** Whether another process finds what this one has stored. */
  readonly isDurable: boolean
  put(artifact: StoredArtifact): Promise<void>
  /** `isHeld`: this process keeps it alive, and drops it when it expires. Undefined: it is not stored. */
  get(id: string): Promise<{ readonly artifact: StoredArtifact; readonly isHeld: boolean } | undefined>
  drop(id: string): Promise<void>
  /** From now on this process keeps none of them alive. */
  close(): Promise<void>
}

/** Artifacts in the memory of the process, for a log that lives as long. */
export function memoryArtifactStore(): ArtifactStore {
  const all = new Map<string, StoredArtifact>()
  return {
    isDurable: false,
    put: async (artifact) => void all.set(artifact.ref.artifact_id, artifact),
    async get(id) {
      const artifact = all.get(id)
      return artifact && { artifact, isHeld: true }
    },
    drop: async (id) => void all.delete(id),
    close: async () => all.clear(),
  }
}

/** Longest wait for the one entry of a log: it is there when the id of its artifact is known. */
const READ_MS = 5_000

/**
 * Artifacts in an event log, each in a log with one entry. The log of an artifact stays open while a process keeps the artifact alive, so
 * that it outlives the time to live of ended logs; the next process adopts it when the one before has died.
 */
export function loggedArtifactStore(log: EventLog, clock: Clock): ArtifactStore {
  const writers = new Map<string, LogWriter>()
  const keyOf = (id: string): string => `arcp:artifact:${id}`

  async function read(reader: LogReader): Promise<StoredArtifact | undefined> {
    const abort = new AbortController()
    const cancel = clock.after(READ_MS, () => abort.abort(new Error('The log of the artifact has no entry.')))
    try {
      const [entry] = (await reader.read(0, abort.signal)).entries
      return entry?.kind === 'frame' ? artifactOf(entry.text) : undefined
    } catch (error) {
      if (error instanceof AgentError && error.code === 'log_expired') return undefined
      throw error
    } finally {
      cancel()
    }
  }

  return {
    isDurable: true,
    async put(artifact) {
      const id = artifact.ref.artifact_id
      const begun = await log.begin(keyOf(id))
      if (begun.state !== 'created') throw new Error('The artifact has a log already.')
      await begun.writer.append({ kind: 'frame', text: textOf(artifact) })
      writers.set(id, begun.writer)
    },
    async get(id) {
      const found = await log.find(keyOf(id))
      if (found.state !== 'exists') return undefined
      const artifact = await read(found.reader)
      if (artifact === undefined) return undefined
      const adopted = writers.has(id) ? undefined : await log.adopt?.(keyOf(id))
      if (adopted !== undefined) writers.set(id, adopted.writer)
      return { artifact, isHeld: writers.has(id) }
    },
    async drop(id) {
      writers.delete(id)
      await log.expire(keyOf(id))
    },
    async close() {
      const open = [...writers.values()]
      writers.clear()
      await Promise.all(open.map((writer) => writer.close()))
    },
  }
}

function textOf({ content, ...artifact }: StoredArtifact): string {
  return JSON.stringify({ ...artifact, data: toBase64(content) })
}

/** An artifact as a process has logged it; undefined for anything else. */
function artifactOf(text: string): StoredArtifact | undefined {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) return undefined
  const { data, expiresAt } = value
  const ref = artifactRefSchema.safeParse(value.ref)
  const scope = readScope(value.scope)
  const content = typeof data === 'string' ? fromBase64(data) : undefined
  if (!ref.success || scope === undefined || content === undefined || typeof expiresAt !== 'number') return undefined
  return { ref: ref.data, content, scope, expiresAt }
}

/** Bytes that are turned into one text at a time. */
const PIECE = 0x8000

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(binary)
}

/** The bytes of base64; undefined when it is none. */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
