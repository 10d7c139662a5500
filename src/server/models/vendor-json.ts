/** Text of a field that may be absent, null or of another type. Undefined for empty text too. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value of JSON text. Undefined for text that is not valid JSON; empty text is an empty input. */
export function parseInput(json: string): unknown {
  if (json.trim() === '') return {}
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
