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
