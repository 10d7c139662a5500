import * as z from 'zod/mini'
import { jsonObject, optional, text } from './json-schemas.ts'

/** How bad a {@link StreamError} is and what a client does about it (RFC 005). */
export type StreamErrorSeverity = 'FATAL' | 'TRANSIENT' | 'WARNING'

/** What an ERROR packet carries (RFC 005 section 1; CAP section 3.2): four keys, no others. */
export const streamErrorSchema = /* @__PURE__ */ z.strictObject(
  {
    /** For machines, by convention snake_case: `rate_limit_exceeded`. */
    code: text,
    /** For people. */
    message: text,
    severity: z.enum(['FATAL', 'TRANSIENT', 'WARNING'], 'must be FATAL, TRANSIENT or WARNING'),
    /** `retry_after` in seconds, and whatever else helps. */
    details: optional(jsonObject),
  },
  'must be a StreamError (code, message, severity, details) and nothing else',
)

/** An error of the stream itself, as RFC 005 defines it. */
export type StreamError = z.output<typeof streamErrorSchema>
