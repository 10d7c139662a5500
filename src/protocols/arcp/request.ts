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
  /** What the job may do and cost, in dialect 1.1. Absent: what the runtime allows. */
  readonly bounds?: ArcpJobBounds | undefined
}

/** What a job may do, cost and take: declared when it is invoked, in the words of ARCP 1.1. Nothing else reads them. */
export interface ArcpJobBounds {
  /** Patterns by capability, such as `{ 'cost.budget': ['USD:5.00'] }`. Absent: nothing is asked for. */
  readonly lease_request?: Readonly<Record<string, readonly string[]>> | undefined
  /** When what it is allowed ends, in the notation of RFC 3339 with `Z`. Absent: with the job. */
  readonly lease_constraints?: { readonly expires_at: string } | undefined
  /** Longest time that it runs, in whole seconds. Absent: the runtime decides. */
  readonly max_runtime_sec?: number | undefined
}
