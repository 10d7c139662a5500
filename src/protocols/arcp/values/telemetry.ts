/** Units of the metrics whose names are reserved (RFC section 17.3.1). */
export const RESERVED_UNITS: Readonly<Record<string, string>> = {
  'tokens.used': 'tokens',
  'cost.usd': 'usd',
  'gpu.seconds': 'seconds',
  'tool.invocations': 'count',
  'latency.ms': 'ms',
  'bytes.in': 'bytes',
  'bytes.out': 'bytes',
  'errors.total': 'count',
}

/** Levels of a log, the mildest first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'] as const
