import type { StreamErrorBody } from '../run/agent-output.ts'

export interface RefusalInit {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A request turned away before any agent ran. Thrown inside the handler, answered as StreamError JSON (CAP section 6, rule 1). */
export class HttpRefusal extends Error {
  readonly init: RefusalInit

  constructor(init: RefusalInit) {
    super(init.message)
    this.name = 'HttpRefusal'
    this.init = init
  }

  toResponse(): Response {
    const { status, code, message, details, headers } = this.init
    const body: StreamErrorBody = { code, message, severity: 'FATAL', ...(details && { details }) }
    return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
  }
}
