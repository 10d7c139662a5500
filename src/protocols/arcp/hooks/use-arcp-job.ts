'use client'

import { useMemo } from 'react'
import type { ArcpClient } from '../client/arcp-client.ts'
import type { ArcpArtifact, ArcpJob, ArcpStream } from '../fold/arcp-state.ts'
import { type ArcpHookOptions, useArcpClient } from './arcp-provider.tsx'
import { useArcpView } from './use-arcp-state.ts'
import { isAgentError } from '../../../base/agent-error.ts'
import { createArcpError, isUnconfirmedEnd } from '../errors.ts'
import type { CommandResult } from '../../../seam/command.ts'
import type { LeaseResult } from '../../../state/chat-options.ts'

interface OfJob {
  readonly jobId?: string | undefined
}

/** Gives the entries of one job, oldest first: the same list while none of them changes. */
type JobReader<Entry> = (entries: ReadonlyMap<string, Entry>, jobId: string) => readonly Entry[]

/** Reads each map once, however many jobs ask: a thousand jobs on a page would else search all entries a thousand times. */
function createJobReader<Entry extends OfJob>(): JobReader<Entry> {
  let read: ReadonlyMap<string, Entry> | undefined
  let groups = new Map<string, readonly Entry[]>()
  return (entries, jobId) => {
    if (entries !== read) {
      read = entries
      groups = regroup(entries, groups)
    }
    return groups.get(jobId) ?? NONE
  }
}

// An empty list of anything.
const NONE: readonly never[] = []

function regroup<Entry extends OfJob>(
  entries: ReadonlyMap<string, Entry>,
  before: ReadonlyMap<string, readonly Entry[]>,
): Map<string, readonly Entry[]> {
  const next = new Map<string, Entry[]>()
  for (const entry of entries.values()) {
    if (entry.jobId === undefined) continue
    const group = next.get(entry.jobId)
    if (group === undefined) next.set(entry.jobId, [entry])
    else group.push(entry)
  }
  const kept = new Map<string, readonly Entry[]>(next)
  for (const [jobId, group] of next) {
    const known = before.get(jobId)
    if (known?.length === group.length && known.every((entry, at) => entry === group[at])) kept.set(jobId, known)
  }
  return kept
}

/** What {@link useArcpJob} returns. */
export interface ArcpJobResult {
  /** The job as the runtime reports it. Undefined: it has not reported such a job, or too many jobs have ended since. */
  readonly job: ArcpJob | undefined
  /** Its streams, oldest first. */
  readonly streams: readonly ArcpStream[]
  /** The text of its streams of text, one after the other. */
  readonly text: string
  /** Its artifacts, without their content. */
  readonly artifacts: readonly ArcpArtifact[]
  /** Asks the runtime to end it. */
  cancel(): Promise<ArcpCommandResult>
  /** Interrupts what it does, so that it asks the user. */
  interrupt(): Promise<ArcpCommandResult>
}

interface Readers {
  readonly streams: JobReader<ArcpStream>
  readonly artifacts: JobReader<ArcpArtifact>
}

const readers = new WeakMap<ArcpClient, Readers>()

function readersOf(client: ArcpClient): Readers {
  const known = readers.get(client) ?? { streams: createJobReader(), artifacts: createJobReader() }
  readers.set(client, known)
  return known
}

/**
 * One job of the session, by its id, independent of its caller. It renders again when this job changes, at most once a frame; unmounting it
 * ends nothing.
 *
 * @example
 * ```tsx
 * import { useArcpJob } from 'capstan/react'
 * import { JobCard } from 'capstan/components'
 *
 * export function Survey({ id }: { id: string }) {
 *   const { job, cancel } = useArcpJob(id)
 *   return job && <JobCard title={job.tool} state={job.state} percent={job.percent} onCancel={cancel} />
 * }
 * ```
 */
export function useArcpJob(jobId: string, { client: given }: ArcpHookOptions = {}): ArcpJobResult {
  const client = useArcpClient(given, 'useArcpJob')
  const read = readersOf(client)
  const job = useArcpView(client, ({ state }) => state.jobs.get(jobId))
  const streams = useArcpView(client, ({ state }) => read.streams(state.streams, jobId))
  const artifacts = useArcpView(client, ({ state }) => read.artifacts(state.artifacts, jobId))
  const text = useMemo(() => streams.map((stream) => (stream.kind === 'text' ? stream.text : '')).join(''), [streams])
  const actions = useMemo(
    () => ({
      cancel: () => commandResultOf(client.cancelJob(jobId), 'This runtime does not end jobs.'),
      interrupt: () => commandResultOf(client.interruptJob(jobId), 'This runtime does not interrupt jobs.'),
    }),
    [client, jobId],
  )
  return useMemo(() => ({ job, streams, text, artifacts, ...actions }), [job, streams, text, artifacts, actions])
}

/**
 * What became of a wish to the runtime. Resolved, never thrown. `refused` too where the runtime has no such command; `unconfirmed` too
 * where a cancelled job may still be working.
 */
type ArcpCommandResult = LeaseResult

/** What became of a command. @param unsupported what to say where the runtime has no such command */
export async function commandResultOf(
  sending: Promise<CommandResult>,
  unsupported: string,
): Promise<ArcpCommandResult> {
  try {
    const told = await sending
    if (told.result === 'invalid') return { status: 'invalid', errors: told.errors }
    if (told.result !== 'unsupported') return { status: told.result }
    const kind = 'protocol'
    const error = createArcpError({ kind, code: 'invalid_request', severity: 'FATAL', message: unsupported })
    return { status: 'refused', error }
  } catch (error) {
    if (!isAgentError(error)) throw error
    return error.retryable || isUnconfirmedEnd(error.agentCode)
      ? { status: 'unconfirmed', error }
      : { status: 'refused', error }
  }
}
