import type { JsonObject } from '../../../base/json-object.ts'
import { isPongOf } from '../command-results.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpArtifactRef } from '../schema/payloads.ts'
import type { ArcpCallOptions, ArcpPutOptions, ArcpConnection } from './arcp-connection.ts'

/** Content of an artifact, as it travels: base64, its size in bytes, and its digest where the platform can make one. */
export interface EncodedContent {
  readonly data: string
  readonly size: number
  readonly sha256?: string
}

/** Bytes that are turned into one text at a time. */
const PIECE = 0x8000

export async function encodeContent(content: string | Uint8Array): Promise<EncodedContent> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  let binary = ''
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  const encoded = { data: btoa(binary), size: bytes.length }
  // Only pages with HTTPS, and servers, have digests.
  const { subtle }: { readonly subtle?: SubtleCrypto } = crypto
  if (subtle === undefined) return encoded
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return { ...encoded, sha256: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('') }
}

/** The bytes of base64. @throws Error when it is none */
export function decodeContent(data: string): Uint8Array {
  return Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
}

type Own = Pick<ArcpConnection, 'writer' | 'call' | 'exchange'>

/** Asks for a lease to be extended. */
export function refreshLease(own: Own, leaseId: string, seconds: number, options: ArcpCallOptions): Promise<string> {
  const message = own.writer.write('lease.refresh', { lease_id: leaseId, requested_seconds: seconds })
  const match = (reply: ArcpMessage): string | undefined =>
    reply.type === 'lease.extended' && reply.payload.lease_id === leaseId ? reply.payload.expires_at : undefined
  return own.call({ message, match }, options)
}

/** Stores an artifact. */
export async function putArtifact(
  own: Own,
  content: string | Uint8Array,
  { mediaType, ttlSeconds, ...call }: ArcpPutOptions,
): Promise<ArcpArtifactRef> {
  const ttl = ttlSeconds === undefined ? {} : { ttl_seconds: ttlSeconds }
  const message = own.writer.write('artifact.put', {
    media_type: mediaType,
    ...(await encodeContent(content)),
    ...ttl,
  })
  const match = (reply: ArcpMessage): ArcpArtifactRef | undefined =>
    reply.type === 'artifact.ref' && reply.correlation_id === message.id ? reply.payload : undefined
  return own.call({ message, match }, call)
}

/** Fetches the content of an artifact. */
export async function fetchArtifact(
  own: Own,
  artifactId: string,
  options: ArcpCallOptions,
): Promise<{ readonly mediaType: string; readonly content: Uint8Array }> {
  const message = own.writer.write('artifact.fetch', { artifact_id: artifactId })
  const match = (reply: ArcpMessage): { mediaType: string; data: string } | undefined => {
    if (reply.type !== 'artifact.put' && reply.type !== 'artifact.ref') return undefined
    const { media_type: mediaType, data } = reply.payload
    return reply.correlation_id === message.id && data !== undefined ? { mediaType, data } : undefined
  }
  const { mediaType, data } = await own.call({ message, match }, options)
  return { mediaType, content: decodeContent(data) }
}

/** Releases an artifact. */
export async function releaseArtifact(own: Own, artifactId: string, options: ArcpCallOptions): Promise<void> {
  const message = own.writer.write('artifact.release', { artifact_id: artifactId })
  // Not every runtime acknowledges it.
  const behind = own.writer.write('ping', {})
  const match = (reply: ArcpMessage): true | undefined =>
    isPongOf(reply, behind.id) || (reply.type === 'ack' && reply.correlation_id === message.id) ? true : undefined
  await own.call({ message, behind, match }, options)
  own.exchange.note({ type: 'artifact-released', artifactId })
}

/** Sends a message of an extension. */
export async function sendExtension(
  own: Own,
  name: string,
  payload: JsonObject,
  options: ArcpCallOptions,
): Promise<void> {
  const message = own.writer.extension(name, payload)
  const behind = own.writer.write('ping', {})
  await own.call({ message, behind, match: (reply) => isPongOf(reply, behind.id) || undefined }, options)
}

/** Which jobs are listed. Absent: all that the user may know of. */
export interface ArcpJobFilter extends ArcpCallOptions {
  /** States, as the runtime names them: pending, running, success, error, cancelled, timed_out. */
  readonly status?: readonly string[] | undefined
  /** The agent that works on it. */
  readonly agent?: string | undefined
  /** RFC 3339. */
  readonly createdAfter?: string | undefined
  /** RFC 3339. */
  readonly createdBefore?: string | undefined
  /** The most jobs of one list. Absent: the runtime decides. */
  readonly limit?: number | undefined
  /** Where the list before ended. Absent: the first list. */
  readonly cursor?: string | undefined
}

/** A job as a list reports it. */
export interface ArcpListedJob {
  readonly id: string
  readonly agent?: string | undefined
  readonly status: string
  /** Patterns of what it may do, by capability. */
  readonly lease?: Readonly<Record<string, readonly string[]>> | undefined
  /** The job that has begun it. Absent: none has. */
  readonly parentId?: string | undefined
  /** RFC 3339. */
  readonly createdAt?: string | undefined
}

/** Jobs, and where the next list begins; absent at the end. */
export interface ArcpJobList {
  readonly jobs: readonly ArcpListedJob[]
  readonly nextCursor?: string | undefined
}

/** A list as the dialect passes it on: it was read there. */
interface ListedJobs {
  readonly jobs: readonly {
    readonly job_id: string
    readonly agent?: string | undefined
    readonly status: string
    readonly lease?: Readonly<Record<string, readonly string[]>> | undefined
    readonly parent_job_id?: string | undefined
    readonly created_at?: string | undefined
  }[]
  readonly next_cursor?: string | undefined
}

/** Lists jobs, also those of other sessions. */
export function listJobs(
  own: Pick<ArcpConnection, 'writer' | 'call'>,
  { signal, limit, cursor, createdAfter, createdBefore, ...filter }: ArcpJobFilter,
): Promise<ArcpJobList> {
  const times = { created_after: createdAfter, created_before: createdBefore }
  const message = own.writer.extension('session.list_jobs', { filter: { ...filter, ...times }, limit, cursor })
  const match = (reply: ArcpMessage): ArcpJobList | undefined => {
    if (reply.type !== 'extension' || reply.correlation_id !== message.id) return undefined
    // The dialect has read it.
    const { jobs, next_cursor: nextCursor } = reply.payload as unknown as ListedJobs
    return { jobs: jobs.map(toListedJob), nextCursor }
  }
  return own.call({ message, match }, { signal })
}

function toListedJob(job: ListedJobs['jobs'][number]): ArcpListedJob {
  const { job_id: id, agent, status, lease, parent_job_id: parentId, created_at: createdAt } = job
  return { id, agent, status, lease, parentId, createdAt }
}
