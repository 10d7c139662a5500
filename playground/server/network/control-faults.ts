import type { Clock } from '../../../src/base/ports/clock.ts'
import type { ScenarioId } from '../scenarios/scenario-list.ts'

/** A command for a run on its way to the handler. */
export interface ControlCall {
  readonly requestId: string
  /** Last step of its path: `cancel`, `answer` or `say`. */
  readonly name: string
  readonly scenario: ScenarioId | undefined
}

/** What becomes of commands on their way, by the scenario of their run. */
export interface ControlFaults {
  /** Asks the handler, or does not. Undefined: the connection is to be closed without a response. */
  carry(call: ControlCall, answer: () => Promise<Response>): Promise<Response | undefined>
}

/** A browser sends a request again by itself when its connection was closed at once: it is closed for so long. */
const LOST_MS = 1_500
const MOST_CALLS = 200

/** The run of a control endpoint and what is wanted of it; undefined for any other path. */
export function controlPath(pathname: string): Omit<ControlCall, 'scenario'> | undefined {
  const [runs, requestId, name] = pathname.split('/').slice(-3)
  return runs === 'runs' && requestId !== undefined && name !== undefined ? { requestId, name } : undefined
}

export function createControlFaults(clock: Clock): ControlFaults {
  /** When each command of a run came first, by run and name. */
  const first = new Map<string, number>()

  /** Milliseconds since the first one; undefined for the first one. */
  const sinceFirst = ({ requestId, name }: ControlCall): number | undefined => {
    const key = `${requestId} ${name}`
    const at = first.get(key)
    if (at !== undefined) return clock.now() - at
    first.set(key, clock.now())
    const [oldest] = first.keys()
    if (first.size > MOST_CALLS && oldest !== undefined) first.delete(oldest)
    return undefined
  }

  return {
    async carry(call, answer) {
      if (call.scenario === 'answer-lost') {
        const since = sinceFirst(call)
        const response = await answer()
        return since === undefined || since < LOST_MS ? undefined : response
      }
      if (call.scenario === 'answer-refused' && call.name === 'answer' && sinceFirst(call) === undefined)
        return Response.json(
          { code: 'forbidden', message: 'Answers are not taken at the moment. Try again.', severity: 'FATAL' },
          { status: 403 },
        )
      return answer()
    },
  }
}

/** A response of a server that takes no commands. */
export function withoutControl(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.delete('cap-control')
  return new Response(response.body, { status: response.status, headers })
}
