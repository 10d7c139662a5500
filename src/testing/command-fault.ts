import type { Clock } from '../base/ports/clock.ts'
import { isJsonObject } from '../base/json-object.ts'
import { CONTROL_NAMES, type ControlName } from '../protocols/cap/handle.ts'
import { LOGIN_PAGE } from './faulty-answer.ts'

/** What happens to one request on a control endpoint: a cancel, an answer, or a message into the running answer. */
export type CommandFault =
  /** It never arrives. */
  | { readonly type: 'lose' }
  /** It arrives and is carried out, and its response is lost: the client cannot know. */
  | { readonly type: 'lose-answer' }
  /** It arrives twice. */
  | { readonly type: 'double' }
  /** It arrives so many milliseconds later. */
  | { readonly type: 'delay'; readonly ms: number }
  /** It is refused with an HTTP status, and not carried out. `retryAfter`: seconds. */
  | { readonly type: 'status'; readonly status: number; readonly retryAfter?: number }
  /** Something in between answers it with status 200 and a page, such as the login page of a network. */
  | { readonly type: 'page' }
  /** Something in between redirects it, with status 302, such as to the page of a sign-in. */
  | { readonly type: 'redirect'; readonly location: string }

/** One request on a control endpoint, as the server saw it. */
export interface SeenCommand {
  readonly requestId: string
  readonly name: ControlName
  /** What was sent, as JSON. */
  readonly body: Readonly<Record<string, unknown>>
  /** Milliseconds on the clock of the agent. */
  readonly at: number
}

/** One fault per request on a control endpoint, in order; later ones arrive. A function is asked at each. */
export type CommandFaults =
  | readonly (CommandFault | undefined)[]
  | ((command: SeenCommand, ordinal: number) => CommandFault | undefined)

const CONTROL = new RegExp(`/runs/([^/]+)/(${CONTROL_NAMES.join('|')})$`)

/** What a request on a control endpoint asks for; undefined for any other request. */
export function seenCommand(http: Request, body: string, at: number): SeenCommand | undefined {
  const [, requestId = '', found] = CONTROL.exec(new URL(http.url).pathname) ?? []
  const name = CONTROL_NAMES.find((each) => each === found)
  return name === undefined ? undefined : { requestId, name, body: parsed(body), at }
}

/** Takes a command to the server, or not. Undefined: the connection broke. */
export async function carryCommand(
  send: () => Promise<Response>,
  fault: CommandFault | undefined,
  clock: Clock,
): Promise<Response | undefined> {
  switch (fault?.type) {
    case 'lose':
      return undefined
    case 'lose-answer':
      await send()
      return undefined
    case 'double':
      await send()
      return send()
    case 'status': {
      const { status, retryAfter } = fault
      return new Response(null, {
        status,
        ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
      })
    }
    case 'page':
      return new Response(LOGIN_PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } })
    case 'redirect':
      return new Response(null, { status: 302, headers: { location: fault.location } })
    case 'delay':
      await new Promise<void>((resolve) => {
        clock.after(fault.ms, resolve)
      })
      return send()
    case undefined:
      return send()
  }
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
