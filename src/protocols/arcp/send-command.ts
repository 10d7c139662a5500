import type { Command, CommandResult } from '../../seam/command.ts'
import { type Sending, ACCEPTED, isPongOf, throwRefusalOf, UNSUPPORTED } from './command-results.ts'
import { createArcpError } from './errors.ts'
import type { ActiveSession } from './link.ts'
import type { Places } from './ledger/places.ts'
import type { sendJobCommand } from './job-commands.ts'
import { loadOnDemand } from './load-on-demand.ts'

/** What the module of commands exports. */
interface JobCommands {
  readonly sendJobCommand: typeof sendJobCommand
}

let loaded: JobCommands | undefined

/** Loaded on demand: many jobs are never stopped and ask nothing. */
async function loadJobCommands(): Promise<JobCommands> {
  return (loaded ??= await loadOnDemand(() => import('./job-commands.ts')))
}

/**
 * Commands of ARCP 1.0, each sent on the open connection; where none is, it is waited for.
 *
 * @throws AgentError when it is not known what became of it, or the runtime refused for good
 */
export async function sendArcpCommand(sending: Sending, command: Command): Promise<CommandResult> {
  if (command.type === 'say') return UNSUPPORTED
  const active = await sending.exchange.link.ready(sending.signal)
  // The request of a run is what the client made.
  if (command.type === 'begin') return begin(sending, active, command.requestId, command.request as ArcpRequest)
  const { sendJobCommand } = await loadJobCommands()
  return sendJobCommand(sending, active, command)
}

/** Invokes the tool, or reads on where the run was left. The message that invokes has the same id each time. */
async function begin(
  sending: Sending,
  active: ActiveSession,
  requestId: string,
  request: ArcpRequest,
): Promise<CommandResult> {
  const { exchange, writer, signal } = sending
  // What sessions before this one had to say may be that the job was accepted.
  await active.resumed
  const left = exchange.leftAt(requestId)
  if (left !== undefined) {
    // A connection that breaks before is followed by one on which it is read on again.
    await readOn(sending, active, requestId, left)
    exchange.readsOn(requestId, 'done')
  }
  if (exchange.isAccepted(requestId)) return ACCEPTED
  const { tool, arguments: given, idempotencyKey, priority, traceId, bounds } = request
  const invokeId = exchange.invokeIn(active.sessionId, requestId)
  if (invokeId === undefined) throw createArcpError(NOT_BEGUN)
  if (bounds && !active.takesBounds) throw createArcpError(NO_BOUNDS)
  const members = {
    id: invokeId,
    ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
    ...(priority === undefined ? {} : { priority }),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
  }
  const invoke = writer.write('tool.invoke', { tool, arguments: { ...given }, ...(bounds && { bounds }) }, members)
  return exchange.link.ask(
    active,
    [invoke],
    (message) => {
      throwRefusalOf(message, invokeId)
      return exchange.isAccepted(requestId) ? ACCEPTED : undefined
    },
    signal,
  )
}

/**
 * Has the sessions of a run say again what it has not read. A ping before tells where that begins, one behind where it ends: not every
 * runtime acknowledges, and what a job says meanwhile may come first.
 */
async function readOn(
  { exchange, writer, resume, signal }: Sending,
  active: ActiveSession,
  requestId: string,
  places: Places,
): Promise<void> {
  const [before, behind] = [writer.write('ping', {}), writer.write('ping', {})]
  active.send(before)
  const ids = [...places].map(([sessionId, after]) => resume(active, sessionId, after))
  await exchange.link.ask(
    active,
    [behind],
    (message) => {
      // The session of the job is the last one; another one may be gone.
      throwRefusalOf(message, ids.at(-1) ?? '')
      if (isPongOf(message, before.id)) exchange.readsOn(requestId, 'begun')
      return isPongOf(message, behind.id) || undefined
    },
    signal,
  )
}

/** Without them the job would do more than it may. */
const NO_BOUNDS = {
  kind: 'protocol',
  code: 'invalid_config',
  severity: 'FATAL',
  message: 'The bounds of a job need dialect 1.1.',
} as const

const NOT_BEGUN = {
  kind: 'runtime',
  code: 'app_error',
  severity: 'FATAL',
  message: 'The run was left before it was begun.',
} as const

/** A run: one tool that is invoked. */
export interface ArcpRequest {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** What the user meant, once: a runtime that knows such keys does it once, whichever session asks. Absent: none is sent. */
  readonly idempotencyKey?: string | undefined
  /** Absent: normal. */
  readonly priority?: 'low' | 'normal' | 'high' | 'critical' | undefined
  /** Trace that the job belongs to. Absent: none. */
  readonly traceId?: string | undefined
  /** What the job may do, cost and take, in dialect 1.1 alone. Absent: what the runtime allows. */
  readonly bounds?: ArcpJobBounds | undefined
}

/** What a job may do, cost and take: declared when it is invoked. */
export interface ArcpJobBounds {
  /** Patterns of what it may do, by capability, such as `{ 'cost.budget': ['USD:5.00'] }`. Absent: nothing is asked for. */
  readonly lease?: Readonly<Record<string, readonly string[]>> | undefined
  /** When the lease ends, in the notation of RFC 3339 with `Z`. Absent: with the job. */
  readonly leaseExpiresAt?: string | undefined
  /** Longest time that it runs, in whole seconds. Absent: the runtime decides. */
  readonly maxSeconds?: number | undefined
}
