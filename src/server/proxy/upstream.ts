import { isJsonObject } from '../../base/json-object.ts'
import { mediaTypeOf } from '../../wire/fetch-transport.ts'
import { controlBody, controlUrl } from '../../protocols/cap/rare-requests.ts'
import { announcedControl, type ControlName, CONTROL_NAMES } from '../../protocols/cap/handle.ts'
import { resolveUrls } from '../../protocols/cap/endpoint.ts'
import { toHealthCheckResponse, toServiceResponse } from '../../protocols/cap/read/read-response.ts'
import type { HealthCheckResponse, ServiceResponse } from '../../protocols/cap/schema/response.ts'
import type { RunCommand, RunReply, RunEndReason } from '../event-log/event-log.ts'
import type { BoundCall } from './bind-call.ts'
import {
  checkedAddress,
  createUpstreamConnection,
  type ProxyCaller,
  type UpstreamConnectionOptions,
} from './upstream-connection.ts'
import { notAnAnswer, UpstreamFailure, refused } from './upstream-failure.ts'
import type { Command } from '../../seam/command.ts'
import type { FieldError, PromptEnd } from '../../seam/prompt.ts'
import { runNotFound } from '../http/control.ts'
import { HttpRefusal } from '../http/http-refusal.ts'

/** Statuses outside of 2xx that say what became of a command. The others are failures of the upstream. */
const ANSWERS_COMMANDS: ReadonlySet<number> = new Set([404, 405, 409, 410, 413, 422, 501, 504])

/** Statuses that mean something only with the body of the agent. */
const NEEDS_BODY: ReadonlySet<number> = new Set([409, 410, 422])

const PROMPT_ENDS: readonly PromptEnd[] = ['answered', 'declined', 'cancelled', 'expired', 'withdrawn']
const RUN_ENDS: readonly RunEndReason[] = ['finished', 'cancelled', 'failed', 'unconfirmed', 'interrupted', 'expired']
/** Bounds for what an agent writes about the answer of its user. */
const MOST_ERRORS = 100
const LONGEST_TEXT = 1_000

/** Commands of a list that this library knows, in its own order. */
function knownControl(names: readonly unknown[] | undefined): readonly ControlName[] {
  return CONTROL_NAMES.filter((name) => names?.includes(name))
}

function toCommand(command: RunCommand, requestId: string): Command {
  switch (command.name) {
    case 'cancel':
      return { type: 'cancel', requestId }
    case 'say':
      return { type: 'say', requestId, messageId: command.messageId, text: command.text }
    case 'answer': {
      const { promptId, answerId, answer } = command
      return { type: 'answer', requestId, promptId, answerId, answer }
    }
  }
}

/**
 * What an upstream says of a command, read again so that nothing that it says about itself is passed on. What is wrong with an answer is for
 * the user, and does.
 *
 * @param body JSON; undefined for anything else
 * @throws HttpRefusal 404 where the upstream knows no such run, 501 where it takes no such command
 * @throws UpstreamFailure where something other than an agent answered
 */
function toRunReply(status: number, body: unknown): RunReply {
  const { code, details } = isJsonObject(body) ? body : {}
  // A page that something else put in between says nothing of the command.
  if (!isJsonObject(body) && NEEDS_BODY.has(status)) return { result: 'unavailable' }
  const more = isJsonObject(details) ? details : {}
  const answerId = typeof more['answer_id'] === 'string' ? more['answer_id'].slice(0, LONGEST_TEXT) : undefined
  switch (status) {
    case 404:
      throw code === 'run_not_found' ? runNotFound() : unsupported()
    case 405:
    case 501:
      throw unsupported()
    case 409: {
      if (code === 'prompt_not_found') return { result: 'unknown-prompt' }
      const state = PROMPT_ENDS.find((each) => each === more['state'])
      if (state !== undefined) return { result: 'settled', state, answerId }
      // A server that does not say how its run ended is like one that no longer knows.
      return { result: 'over', ended: RUN_ENDS.find((each) => each === more['ended']) ?? 'expired' }
    }
    case 410:
      return { result: 'settled', state: 'expired', answerId }
    case 413:
      return { result: 'too-large' }
    case 422:
      return { result: 'invalid', errors: fieldErrors(more['errors']) }
    case 504:
      if (code !== 'cancel_unconfirmed') throw refused(status, undefined)
      return { result: 'over', ended: 'unconfirmed' }
    default:
      if (!isJsonObject(body) || body['result'] !== 'accepted') throw notAnAnswer('JSON')
      return { result: 'accepted' }
  }
}

function fieldErrors(errors: unknown): readonly FieldError[] {
  if (!Array.isArray(errors)) return []
  return errors.slice(0, MOST_ERRORS).flatMap((error: unknown) => {
    if (!isJsonObject(error)) return []
    const { path, message } = error
    if (typeof path !== 'string' || typeof message !== 'string') return []
    return [{ path: path.slice(0, LONGEST_TEXT), message: message.slice(0, LONGEST_TEXT) }]
  })
}

function unsupported(): HttpRefusal {
  return new HttpRefusal({
    status: 501,
    code: 'control_unsupported',
    message: 'The agent behind this server takes no such command.',
  })
}

export interface UpstreamOptions extends UpstreamConnectionOptions {
  readonly upstream: string | URL
  readonly path: string | undefined
  readonly maxAnswerBytes: number
}

export interface UpstreamCall {
  readonly call: BoundCall
  readonly caller: ProxyCaller
  readonly lastEventId: string | undefined
  readonly signal: AbortSignal
}

/** What the upstream says: chunks of an event stream as they come, or a whole answer. */
export type UpstreamAnswer =
  | {
      readonly kind: 'events'
      readonly chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>
      /** The commands it takes for this run. */
      readonly control: readonly ControlName[]
    }
  | { readonly kind: 'response'; readonly response: ServiceResponse }

/** The one agent behind a proxy. What it throws is UpstreamFailure, unless the app's own `headers` threw. */
export interface Upstream {
  /** Distinguishes the logs of several upstreams. */
  readonly name: string
  assist(call: UpstreamCall): Promise<UpstreamAnswer>
  /** Sends a command for a run once. */
  command(call: UpstreamCommand): Promise<RunReply>
  health(caller: ProxyCaller): Promise<UpstreamHealth>
}

export interface UpstreamCommand {
  /** As it is upstream. */
  readonly requestId: string
  readonly command: RunCommand
  readonly caller: ProxyCaller
}

export type UpstreamHealth = HealthCheckResponse & { readonly control?: readonly ControlName[] | undefined }

const HEADER_SAFE = /^[\u0020-\u007e]{1,512}$/
const MOST_HEALTH_BYTES = 100_000
const MOST_REPLY_BYTES = 100_000

export function createUpstream(options: UpstreamOptions): Upstream {
  const urls = resolveUrls({ baseUrl: checkedAddress(options.upstream), path: options.path })
  const { maxAnswerBytes } = options
  const { send, chunksOf, jsonOf, refuseOthers } = createUpstreamConnection(options)

  return {
    name: urls.assist,
    async assist({ call, caller, lastEventId, signal }) {
      const own = {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        'x-request-id': call.requestId,
        ...(lastEventId !== undefined && HEADER_SAFE.test(lastEventId) ? { 'last-event-id': lastEventId } : {}),
      }
      const reply = await send({ url: urls.assist, method: 'POST', body: call.body, caller, headers: own, signal })
      try {
        await refuseOthers(reply)
        if (mediaTypeOf(reply.response.headers.get('content-type')) === 'text/event-stream')
          return {
            kind: 'events',
            chunks: chunksOf(reply, signal),
            control: knownControl(announcedControl(reply.response.headers)),
          }
        const response = toServiceResponse(await jsonOf(reply, signal, maxAnswerBytes))
        if (response === undefined) throw notAnAnswer('JSON')
        if (response.request_id !== call.requestId) throw notAnAnswer('the ServiceResponse of another request')
        return { kind: 'response', response }
      } catch (error) {
        reply.connection.abort()
        throw error
      }
    },
    async command({ requestId, command, caller }) {
      // What has arrived here is carried on, whether or not the page waits for it.
      const { signal } = new AbortController()
      const own = { 'content-type': 'application/json', accept: 'application/json' }
      const url = controlUrl(urls.assist, requestId, command.name)
      const text = JSON.stringify(controlBody(toCommand(command, requestId)))
      const reply = await send({ url, method: 'POST', body: text, caller, headers: own, signal })
      try {
        const { status, ok } = reply.response
        if (!ok && !ANSWERS_COMMANDS.has(status)) await refuseOthers(reply)
        const body = await jsonOf(reply, signal, MOST_REPLY_BYTES).catch((error: unknown) => {
          // A refusal says enough by its status, but not one that was cut off.
          if (ok || !(error instanceof UpstreamFailure) || error.error.code !== 'unexpected_content_type') throw error
        })
        return toRunReply(status, body)
      } finally {
        reply.connection.abort()
      }
    },
    async health(caller) {
      const { signal } = caller.http
      const reply = await send({
        url: urls.health,
        method: 'GET',
        caller,
        headers: { accept: 'application/json' },
        signal,
      })
      try {
        await refuseOthers(reply)
        const json = await jsonOf(reply, signal, MOST_HEALTH_BYTES)
        const health = toHealthCheckResponse(json)
        if (health === undefined) throw notAnAnswer('JSON')
        const control = isJsonObject(json) && Array.isArray(json['control']) ? knownControl(json['control']) : []
        return { ...health, ...(control.length > 0 && { control }) }
      } finally {
        reply.connection.abort()
      }
    },
  }
}
