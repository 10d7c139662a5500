import type { JsonObject } from '../../../base/json-object.ts'
import type { AgentError } from '../../../base/agent-error.ts'
import { onAbort } from '../../../base/on-abort.ts'
import type { CommandResult } from '../../../seam/command.ts'
import { createArcpError, isUnconfirmedEnd } from '../errors.ts'
import type { Exchange } from '../exchange.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpRequest } from '../request.ts'
import type { ArcpArtifactRef } from '../schema/artifacts.ts'
import type { AgentClient, StopResult } from '../../../session/agent-client.ts'
import { openRun } from '../../../session/session.ts'
import { sendCommand } from '../../../session/send-command.ts'
import type { ArcpInvokeOptions } from './arcp-client-options.ts'

/** What a tool gave: a value, or an artifact that holds it. Neither: nothing. */
export interface ArcpResult {
  readonly value?: unknown
  readonly ref?: ArcpArtifactRef | undefined
}

/** A job that was invoked here. Its progress, streams and questions are in the state of the client, under its id. */
export interface ArcpJobHandle {
  /** Names the run, also before the runtime has named the job. */
  readonly requestId: string
  /** Resolves with the id of the job when the runtime has accepted it. Rejects when it never does. */
  readonly accepted: Promise<string>
  /**
   * Resolves with what the tool gave. Rejects with an ArcpError when the job failed or was cancelled: `agentCode` is `CANCELLED` once the
   * runtime has confirmed that, and `ABORTED` when it has not, so that the job may still be working.
   */
  readonly result: Promise<ArcpResult>
  /** Asks the runtime to end the job, and waits for no more of it. Resolves with what is known of that. Never rejects. */
  cancel(): Promise<StopResult>
  /** Interrupts what the job does, so that it asks the user. */
  interrupt(): Promise<CommandResult>
}

const CANCELLED = {
  kind: 'runtime',
  code: 'agent_error',
  severity: 'FATAL',
  message: 'The job was cancelled.',
  agentCode: 'CANCELLED',
} as const

const LEFT = {
  ...CANCELLED,
  message:
    'Nobody waits for the job any more. The runtime has not confirmed that it has ended, so it may still be working.',
  agentCode: 'ABORTED',
} as const

interface InvokingOptions extends Omit<ArcpInvokeOptions, 'onMessage'> {
  /** Called when nothing more comes of the job. */
  onOver(): void
}

/** Invokes a tool as its own run. */
export function invokeTool(
  client: AgentClient<ArcpRequest, ArcpMessage>,
  exchange: Exchange,
  tool: string,
  given: JsonObject,
  { signal, onOver, ...options }: InvokingOptions,
): ArcpJobHandle {
  const requestId = client.environment.uuid()
  const request: ArcpRequest = {
    tool,
    arguments: given,
    ...options,
    idempotencyKey: options.idempotencyKey ?? requestId,
  }
  let jobId: string | undefined
  let isStopped = false
  let accept: { resolve(id: string): void; reject(error: unknown): void } | undefined
  let settle: { resolve(result: ArcpResult): void; reject(error: unknown): void } | undefined
  const accepted = new Promise<string>((resolve, reject) => {
    accept = { resolve, reject }
  })
  const result = new Promise<ArcpResult>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // Callers that use neither get no unhandled rejection.
  accepted.catch(() => undefined)
  result.catch(() => undefined)

  const session = openRun({
    client,
    request,
    requestId,
    onEvents(events) {
      if (jobId !== undefined || events.length === 0) return
      jobId = exchange.jobOf(requestId)
      if (jobId !== undefined) accept?.resolve(jobId)
    },
    onEnded(ending) {
      release?.()
      onOver()
      const job = exchange.job(jobId)
      if (ending.type === 'finished' && ending.outcome !== 'cancelled') settle?.resolve(job?.result ?? {})
      else if (ending.type === 'failed') fail(ending.error)
      else if (ending.type === 'finished') fail(createArcpError(CANCELLED))
      else if (!isStopped) fail(createArcpError(LEFT))
    },
  })

  function fail(error: AgentError): void {
    accept?.reject(error)
    settle?.reject(error)
  }

  /** The first end holds: a job that has ended before is not cancelled any more. */
  async function cancel(): Promise<StopResult> {
    isStopped = true
    const stop = await session.stop()
    // A run that has failed has ended, and its tool perhaps not.
    const known = isUnconfirmedEnd(exchange.job(jobId)?.error?.code) ? 'left' : stop
    fail(createArcpError(known === 'cancelled' ? CANCELLED : LEFT))
    return known
  }
  const release = signal && onAbort(signal, () => void cancel())
  if (signal?.aborted !== true) session.start()

  return {
    requestId,
    accepted,
    result,
    cancel,
    interrupt: () => sendCommand(client, { type: 'interrupt', requestId, handle: exchange.handleOf(requestId) }),
  }
}
