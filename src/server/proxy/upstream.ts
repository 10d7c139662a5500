import { isJsonObject } from '../../base/json-object.ts'
import { mediaTypeOf } from '../../wire/fetch-answer.ts'
import { controlBody, controlUrl } from '../../protocols/cap/control-request.ts'
import { announcedControl, type ControlName } from '../../protocols/cap/handle.ts'
import { resolveUrls } from '../../protocols/cap/endpoint.ts'
import { toHealthCheckResponse, toServiceResponse } from '../../protocols/cap/read/read-response.ts'
import type { HealthCheckResponse, ServiceResponse } from '../../protocols/cap/schema/response.ts'
import type { RunCommand, RunReply } from '../event-log/run-command.ts'
import type { BoundCall } from './bind-call.ts'
import { ANSWERS_COMMANDS, knownControl, toCommand, toRunReply } from './control-reply.ts'
import {
  checkedAddress,
  createUpstreamConnection,
  type ProxyCaller,
  type UpstreamConnectionOptions,
} from '../upstream/upstream-connection.ts'
import { notAnAnswer, UpstreamFailure } from '../upstream/upstream-failure.ts'

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
