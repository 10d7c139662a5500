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
}
