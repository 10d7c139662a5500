import { AgentError } from '../../base/agent-error.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { artifactRefSchema, type ArcpArtifactRef } from '../../protocols/arcp/schema/payloads.ts'
import type { EventLog, LogReader, LogWriter } from '../../server/event-log/event-log.ts'
import { fromBase64, toBase64 } from '../message/base64.ts'
import type { Scope } from '../session/scope.ts'
import { readScope } from '../session/scope.ts'

/** An artifact with its content and its owner. */
export interface StoredArtifact {
  readonly ref: ArcpArtifactRef
  readonly content: Uint8Array
  readonly scope: Scope
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Where artifacts are kept. Methods reject with the errors of the log. */
export interface ArtifactStore {
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
