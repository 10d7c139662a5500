import type { IncomingCall } from './incoming-call.ts'
import type { Answer } from './stream-response.ts'

type Handler = (http: Request) => Promise<Response>

/** Answers without Request and Response, for an adapter that has other objects. Never rejects. */
export type DirectHandler = (http: IncomingCall) => Promise<Answer>

const direct = new WeakMap<Handler, DirectHandler>()

/** A handler that can be asked in both ways, with the same answers. */
export function withDirect(handler: Handler, how: DirectHandler): Handler {
  direct.set(handler, how)
  return handler
}

/** Undefined for a handler of the app's own. */
export function directOf(handler: Handler): DirectHandler | undefined {
  return direct.get(handler)
}
