import type { Clock } from '../../base/ports/clock.ts'
import { systemDigest } from '../../base/digest.ts'
import { controlResponse, runNotFound, controlHeaders, readControlCall } from '../http/control.ts'
import { type IncomingCall, readJsonBody } from '../http/incoming-call.ts'
import { type AssistCall, readAssistCall } from '../http/read-assist-call.ts'
import { matchRoute, type ControlRoute } from '../http/routes.ts'
import type { ProxyCaller, ProxyReply, ProxyService } from './upstream-connection.ts'
import { UpstreamFailure } from './upstream-failure.ts'
import { bindId, bindCall, type BoundCall } from './bind-call.ts'
import type { ProxyLog } from './proxy-log.ts'
import type { Upstream } from './upstream.ts'
import type { ControlName } from '../../protocols/cap/handle.ts'
import { createReaderStallDetector, STREAM_HEADERS } from '../http/stream-response.ts'

export interface CapProxyOptions {
  readonly upstream: Upstream
  /** Absent: a run ends with the connection that asked for it. */
  readonly kept: ProxyLog | undefined
  readonly keepConversationIds: boolean
  readonly clock: Clock
  readonly maxBodyBytes: number
  readonly stallTimeoutMs: number
  onError(error: unknown, context: { readonly requestId: string }): void
}

/** Passes requests of CAP on, under ids that belong to the caller. */
export function createCapProxy({
  upstream,
  kept,
  keepConversationIds,
  clock,
  maxBodyBytes,
  stallTimeoutMs,
  onError,
}: CapProxyOptions): ProxyService {
  const passOn = async (
    call: AssistCall,
    bound: BoundCall,
    caller: ProxyCaller,
    http: IncomingCall,
  ): Promise<Response> => {
    const { requestId, lastEventId } = call
    const answer = await upstream.assist({ call: bound, caller, lastEventId, signal: http.signal })
    if (answer.kind === 'events') {
      const tell = (error: unknown): void => {
        if (error instanceof UpstreamFailure) onError(error.error, { requestId })
      }
      return passThrough({
        chunks: answer.chunks,
        requestId,
        control: answer.control,
        clock,
        stallTimeoutMs,
        onError: tell,
        onLeave: () => http.leave(),
      })
    }
    return Response.json(
      { ...answer.response, request_id: requestId },
      { headers: { 'cache-control': 'no-store', 'x-request-id': requestId } },
    )
  }

  const assist: ProxyReply = async (incoming, caller) => {
    const call = await readAssistCall(incoming, maxBodyBytes, clock)
    const bound = await bindCall(call, caller.user, systemDigest, keepConversationIds)
    return kept ? kept.answer(call, bound, caller, incoming) : passOn(call, bound, caller, incoming)
  }

  // The upstream request carries the secret, so it is made for known callers only.
  const health: ProxyReply = async (_incoming, caller) =>
    Response.json(await upstream.health(caller), { headers: { 'cache-control': 'no-store' } })

  /** A command goes to the run that this user has upstream, and to no other. */
  const command =
    (route: ControlRoute): ProxyReply =>
    async (incoming, caller) => {
      const asked = readControlCall(route.control, await readJsonBody(incoming, maxBodyBytes))
      if (route.requestId === undefined) throw runNotFound()
      const requestId = await bindId(route.requestId, caller.user, systemDigest)
      return controlResponse(await upstream.command({ requestId, command: asked, caller }), asked.name)
    }

  return {
    match(method, pathname, options) {
      const route = matchRoute(method, pathname, options)
      if (route === 'preflight') return route
      if (route === 'assist') return assist
      return route === 'health' ? health : command(route)
    },
  }
}

interface PassThroughOptions {
  readonly chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>
  readonly requestId: string
  /** Commands that the upstream takes for the run. */
  readonly control: readonly ControlName[]
  readonly clock: Clock
  /** Ends the response, and lets go of the upstream, when the caller reads nothing for so long. */
  readonly stallTimeoutMs: number
  onError(error: unknown): void
  /** The reader has gone. */
  onLeave(): void
}

/** An event stream handed on as it comes, no faster than it is read. A stream that breaks off above breaks off here. */
function passThrough({
  chunks,
  requestId,
  control,
  clock,
  stallTimeoutMs,
  onError,
  onLeave,
}: PassThroughOptions): Response {
  let fail = (_error: unknown): void => {}
  const stall = createReaderStallDetector(clock, stallTimeoutMs, (error) => {
    onLeave()
    fail(error)
  })
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = (error) => controller.error(error)
        stall.waiting()
      },
      async pull(controller) {
        stall.moved()
        try {
          const step = await chunks.next()
          if (step.done) {
            controller.close()
            return
          }
          controller.enqueue(step.value)
          stall.waiting()
        } catch (error) {
          onError(error)
          controller.error(new Error('The upstream broke off.'))
        }
      },
      cancel() {
        stall.moved()
        onLeave()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { ...STREAM_HEADERS, 'x-request-id': requestId, ...controlHeaders(control) } })
}
