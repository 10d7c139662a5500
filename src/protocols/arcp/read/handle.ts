import { isJsonObject } from '../../../base/json-object.ts'
import type { JsonObject } from '../../../base/json-object.ts'

/** A question of a job that is open: what an answer to it has to say again. */
export interface AskedPrompt {
  readonly kind: 'input' | 'choice' | 'permission'
  readonly permission?: string | undefined
  readonly resource?: string | undefined
  readonly operation?: string | undefined
}

/** What a job is allowed for a time. */
export interface KeptLease {
  readonly permission: string
  readonly resource: string
  readonly operation: string
  /** RFC 3339. */
  readonly expiresAt: string
}

/** What is remembered of a job: plain data, stored with its run. No credentials. */
export interface ArcpHandle {
  /** Id of the message that invoked the tool: sent again, it is the same message. */
  readonly invoke?: string | undefined
  /** The session under which the job runs. */
  readonly sessionId?: string | undefined
  /** Id of the last message of that session that was read for the job. */
  readonly after?: string | undefined
  /** The same for other sessions that have reported the job; the empty string for their start. Absent: none. */
  readonly others?: Readonly<Record<string, string>> | undefined
  /** The job, once it is accepted. */
  readonly jobs?: readonly string[] | undefined
  /** Its streams that are open, with their kind. */
  readonly streams?: Readonly<Record<string, string>> | undefined
  /** Its questions that are open, by their id. */
  readonly prompts?: Readonly<Record<string, AskedPrompt>> | undefined
  /** What it is allowed now, by the id of the lease. */
  readonly leases?: Readonly<Record<string, KeptLease>> | undefined
}

/** The handle as it was stored; of anything else, an empty one. */
export function readHandle(handle: unknown): ArcpHandle {
  if (!isJsonObject(handle)) return {}
  const { invoke, sessionId, after, others, jobs, streams, prompts, leases } = handle
  return {
    invoke: textOf(invoke),
    sessionId: textOf(sessionId),
    after: textOf(after),
    others: isJsonObject(others) ? entriesOf(others, (id) => (typeof id === 'string' ? id : undefined)) : undefined,
    jobs: Array.isArray(jobs) ? jobs.filter((job) => typeof job === 'string') : undefined,
    streams: isJsonObject(streams) ? entriesOf(streams, textOf) : undefined,
    prompts: isJsonObject(prompts) ? entriesOf(prompts, askedOf) : undefined,
    leases: isJsonObject(leases) ? entriesOf(leases, leaseOf) : undefined,
  }
}

function entriesOf<Value>(from: JsonObject, read: (value: unknown) => Value | undefined): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(from).flatMap(([key, value]) => {
      const found = read(value)
      return found === undefined ? [] : [[key, found]]
    }),
  )
}

function askedOf(value: unknown): AskedPrompt | undefined {
  if (!isJsonObject(value)) return undefined
  const { kind, permission, resource, operation } = value
  if (kind !== 'input' && kind !== 'choice' && kind !== 'permission') return undefined
  return { kind, permission: textOf(permission), resource: textOf(resource), operation: textOf(operation) }
}

function leaseOf(value: unknown): KeptLease | undefined {
  if (!isJsonObject(value)) return undefined
  const { permission, resource = '', operation = '', expiresAt } = value
  const isWhole =
    typeof permission === 'string' &&
    typeof resource === 'string' &&
    typeof operation === 'string' &&
    typeof expiresAt === 'string'
  return isWhole ? { permission, resource, operation, expiresAt } : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
