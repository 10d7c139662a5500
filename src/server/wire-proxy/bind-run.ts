import type { Digest } from '../../base/digest.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { bindId } from '../upstream/bind-id.ts'

/** A run as its upstream gets it: under ids that belong to one user. */
export interface BoundRun {
  /** Value of `x-run-id`. */
  readonly run: string
  readonly body: JsonObject
  /** Puts the client's own ids back into the data of a frame. */
  restore(data: string): string
}

export interface RunToBind {
  /** Name of the run. */
  readonly run: string
  readonly body: JsonObject
  /** Members of the body that contain ids of runs. */
  readonly members: readonly string[]
  readonly user: string
}

/** Members such as `runId` and `parentRunId`: inside of a string their quotes would be escaped. */
const RUN_ID = /("[A-Za-z]*[rR]unId"\s*:\s*)"([-\da-f]{36})"/g

/**
 * Gives a run the ids that it has upstream. They are made of the user and the client's ids, so that no user reaches the run of another
 * one by naming it.
 */
export async function bindRun({ run, body, members, user }: RunToBind, digest: Digest): Promise<BoundRun> {
  const bound: Record<string, string> = {}
  /** Ids of the client as JSON, by their bound ones. */
  const own = new Map<string, string>()
  for (const name of members) {
    const id = body[name]
    if (typeof id !== 'string') continue
    const upstream = await bindId(id, user, digest)
    bound[name] = upstream
    own.set(upstream, JSON.stringify(id))
  }
  return {
    run: bound['runId'] ?? (await bindId(run, user, digest)),
    body: { ...body, ...bound },
    restore: (data) =>
      own.size === 0
        ? data
        : data.replaceAll(RUN_ID, (whole: string, member: string, id: string) => {
            const known = own.get(id)
            return known === undefined ? whole : member + known
          }),
  }
}
